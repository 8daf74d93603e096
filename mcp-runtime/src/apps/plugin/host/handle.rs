//! The handle of one call.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use serde_json::{Map, Value, value::RawValue};

use crate::{
    apps::plugin::{
        calls::{
            answer::PluginAnswer,
            error::PluginError,
            live::{Command, LiveCall},
        },
        timeline::{
            StartedEvent, TimelineRead,
            event::{CallStatus, TimelineEvent, TimelineEventKind},
            question::PluginQuestion,
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
    read: VecDeque<(u64, Arc<str>)>,
    reading: Option<TimelineReading>,
}

/// The future that waits for more events.
type TimelineReading = Pin<Box<dyn Future<Output = TimelineRead> + Send + Sync>>;

/// How a call has ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PluginOutcome {
    /// The tool has returned this `CallToolResult`. The result can tell the model about an error: see
    /// [`is_error`](Self::is_error).
    Finished(Value),
    /// The call has ended without a result, for this reason.
    Failed(String),
    /// The call was cancelled.
    Cancelled,
}

impl PluginCall {
    pub(crate) fn new(call: Arc<LiveCall>) -> Self {
        Self { started: call.timeline.started(), call, seen: 0, read: VecDeque::new(), reading: None }
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
        serde_json::from_str(self.call.question()?.get()).ok()
    }

    /// Continues the stream after the event with this id. The stream leaves out this event and all events before it.
    #[must_use]
    pub fn after(self, event: u64) -> Self {
        Self { seen: event, read: VecDeque::new(), reading: None, ..self }
    }

    /// Waits for the next event. Returns `None` after the last one.
    pub async fn next_event(&mut self) -> Option<TimelineEvent> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Waits for the end of the call.
    pub async fn outcome(&self) -> PluginOutcome {
        let mut seen = self.call.timeline.last().saturating_sub(1);
        loop {
            match self.call.timeline.read(seen).await {
                TimelineRead::Over => {
                    return PluginOutcome::Failed("the call has ended, but its outcome is not known".to_owned());
                }
                TimelineRead::Events(events) => {
                    for (id, text) in events {
                        seen = id;
                        if let Some(outcome) = PluginOutcome::of(&text) {
                            return outcome;
                        }
                    }
                }
            }
        }
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
    /// Reads the outcome from the last event of a call.
    fn of(event: &str) -> Option<Self> {
        // An event without any of these words is not the end of a call, so it is not parsed.
        let is_end = ["finished", "failed", "cancelled"].iter().any(|name| event.contains(name));
        let event: TimelineEvent = is_end.then(|| serde_json::from_str(event).ok())??;
        match event.kind {
            TimelineEventKind::Finished { result } => Some(Self::Finished(result)),
            TimelineEventKind::Failed { message } => Some(Self::Failed(message)),
            TimelineEventKind::Cancelled => Some(Self::Cancelled),
            _ => None,
        }
    }

    /// Returns the text of the result: its text blocks, one below the other. If the call failed or was
    /// cancelled, returns the reason.
    pub fn text(&self) -> String {
        match self {
            Self::Finished(result) => {
                let blocks = result["content"].as_array().into_iter().flatten();
                let texts: Vec<_> = blocks.filter_map(|block| block["text"].as_str()).collect();
                texts.join("\n")
            }
            Self::Failed(message) => message.clone(),
            Self::Cancelled => "the call was cancelled".to_owned(),
        }
    }

    /// Returns `true` if the call failed, if it was cancelled, or if its result is an error.
    pub fn is_error(&self) -> bool {
        match self {
            Self::Finished(result) => result["isError"].as_bool().unwrap_or(false),
            Self::Failed(_) | Self::Cancelled => true,
        }
    }
}

impl Stream for PluginCall {
    type Item = TimelineEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<TimelineEvent>> {
        loop {
            while let Some((id, text)) = self.read.pop_front() {
                self.seen = id;
                // An event of a newer version of this crate can be unreadable.
                if let Ok(event) = serde_json::from_str(&text) {
                    return Poll::Ready(Some(event));
                }
            }
            let (call, seen) = (Arc::clone(&self.call), self.seen);
            let reading = self.reading.get_or_insert_with(|| Box::pin(async move { call.timeline.read(seen).await }));
            let read = ready!(reading.as_mut().poll(cx));
            self.reading = None;
            match read {
                TimelineRead::Over => return Poll::Ready(None),
                TimelineRead::Events(events) => self.read = events.into(),
            }
        }
    }
}

impl Clone for PluginCall {
    fn clone(&self) -> Self {
        Self {
            call: Arc::clone(&self.call),
            started: self.started.clone(),
            seen: self.seen,
            read: self.read.clone(),
            reading: None,
        }
    }
}

impl fmt::Debug for PluginCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PluginCall").field(&self.call).finish()
    }
}
