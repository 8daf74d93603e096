//! The handle of one call.

use std::{
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use serde_json::{Map, Value, value::RawValue};
use tokio::sync::futures::OwnedNotified;

use crate::{
    apps::plugin::{
        calls::{
            answer::PluginAnswer,
            error::PluginError,
            live::{Command, LiveCall},
        },
        timeline::{
            StartedEvent,
            event::{CallStatus, TimelineEvent},
            question::PluginQuestion,
            result::PluginResult,
        },
    },
    engine::elicit::{Elicited, Form, handled},
};

/// A handle to one call of a tool in an application. The handle is a stream of all [events](TimelineEvent) of the call.
///
/// A clone of the handle follows the call independently. The clone starts at the current position of the original.
/// Dropping the handle does not end the call.
pub struct PluginCall {
    pub(crate) call: Arc<LiveCall>,
    /// The first event of the call, which has the arguments.
    pub(crate) started: StartedEvent,
    /// The id of the last event that was read.
    seen: u64,
    /// Completes when the timeline has changed. `None` before it is known that there are no more events.
    changed: Option<Pin<Box<OwnedNotified>>>,
}

/// How a call has ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PluginOutcome {
    /// The tool has returned this result. The result can tell the model about an error: see
    /// [`is_error`](Self::is_error).
    Finished(PluginResult),
    /// The call has ended without a result, for this reason.
    Failed(String),
    /// The call was cancelled.
    Cancelled,
}

impl PluginCall {
    pub(crate) fn new(call: Arc<LiveCall>) -> Self {
        Self { started: call.timeline.started(), call, seen: 0, changed: None }
    }

    /// Returns the id of the call, 32 hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.call.id
    }

    /// Returns the name of the tool.
    pub fn tool_name(&self) -> &str {
        &self.call.tool
    }

    /// Returns the arguments of the call. Returns an empty object if the call has ended because they were invalid and
    /// long.
    pub fn arguments(&self) -> &RawValue {
        self.started.arguments()
    }

    /// Returns the id of the last event so far.
    pub fn last_event(&self) -> u64 {
        self.call.timeline.last()
    }

    /// Returns the status of the call.
    pub fn status(&self) -> CallStatus {
        self.call.status()
    }

    /// Returns the open question, or `None` if no question waits for an answer.
    pub fn question(&self) -> Option<PluginQuestion> {
        self.call.question()
    }

    /// Continues the stream after the event with this id. The stream leaves out this event and all events before it.
    #[must_use]
    pub fn after(self, event: u64) -> Self {
        Self { seen: event, changed: None, ..self }
    }

    /// Waits for the next event. Returns `None` after the last one.
    pub async fn next_event(&mut self) -> Option<TimelineEvent> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Waits for the end of the call.
    pub async fn outcome(&self) -> PluginOutcome {
        let end = self.call.timeline.ended().await;
        let outcome = match &*end.name {
            "cancelled" => Some(PluginOutcome::Cancelled),
            "finished" => end.result().map(PluginOutcome::Finished),
            _ => end.failure().map(PluginOutcome::Failed),
        };
        // An event of another version of this crate can be unreadable.
        outcome.unwrap_or_else(|| PluginOutcome::Failed("the call has ended, but its outcome is not known".to_owned()))
    }

    /// Answers the open question. `seq` is the number of the question.
    ///
    /// Returns when the answer is stored. If the ledger outlives the process, a restart of the application does not
    /// lose a stored answer.
    ///
    /// # Errors
    /// Fails if this question is not open any more, or if the answer does not fit the form. In the second case, the
    /// question stays open.
    pub async fn answer<F: Form>(&self, seq: u32, answer: Elicited<F>) -> Result<(), PluginError> {
        self.answer_json(seq, handled(answer)).await
    }

    /// Answers the open question with the fields of a form as JSON. To agree to open a page, pass [`Elicited::Accept`]
    /// with an empty object.
    ///
    /// # Errors
    /// See [`answer`](Self::answer).
    pub async fn answer_json(&self, seq: u32, answer: Elicited<Map<String, Value>>) -> Result<(), PluginError> {
        self.call.answer(seq, PluginAnswer::from(answer)).await
    }

    /// Asks the call to end. If the phase `after` has begun, the call runs to its end instead.
    pub fn cancel(&self) {
        self.call.command(Command::Cancel);
    }
}

impl PluginOutcome {
    /// Returns the text of the result: its text blocks, one below the other. If the call failed or was
    /// cancelled, returns the reason.
    pub fn text(&self) -> String {
        match self {
            Self::Finished(result) => result.text(),
            Self::Failed(message) => message.clone(),
            Self::Cancelled => "the call was cancelled".to_owned(),
        }
    }

    /// Returns `true` if the call failed, if it was cancelled, or if its result is an error.
    pub fn is_error(&self) -> bool {
        match self {
            Self::Finished(result) => result.is_error(),
            Self::Failed(_) | Self::Cancelled => true,
        }
    }
}

impl Stream for PluginCall {
    type Item = TimelineEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<TimelineEvent>> {
        loop {
            if let Some(changed) = &mut self.changed {
                ready!(changed.as_mut().poll(cx));
                self.changed = None;
            }
            // Begins to wait before it looks, so that no event is missed.
            let mut changed = Box::pin(Arc::clone(self.call.timeline.changed()).notified_owned());
            changed.as_mut().enable();
            let is_over = self.call.timeline.is_over();
            while let Some(next) = self.call.timeline.first_after(self.seen) {
                self.seen = next.id;
                // An event of a newer version of this crate can be unreadable.
                if let Ok(event) = serde_json::from_str(&next.text()) {
                    return Poll::Ready(Some(event));
                }
            }
            if is_over {
                return Poll::Ready(None);
            }
            self.changed = Some(changed);
        }
    }
}

impl Clone for PluginCall {
    fn clone(&self) -> Self {
        Self { call: Arc::clone(&self.call), started: self.started.clone(), seen: self.seen, changed: None }
    }
}

impl fmt::Debug for PluginCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PluginCall").field(&self.call).finish()
    }
}
