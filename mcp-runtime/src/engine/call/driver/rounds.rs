//! The driver. It polls a call's future, round by round, until the call has a result.

use std::{
    future::poll_fn,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use super::{
    limits::Permit,
    round_observer::CallObserver as _,
    running::{Round, Running},
};
use crate::{
    base::error::{ToolError, UnserializableOutput},
    engine::call::{
        CallState,
        call_target::{LONG_POLL, PollKind},
        host::CallOutcome,
        request::Caller,
    },
    wire::protocol::{error::RpcError, result::CallToolResult},
};

/// If a poll takes longer than this, the server reports that the tool blocks its thread.
const BLOCKING_POLL: Duration = Duration::from_secs(1);

/// The maximum number of rounds in which a call can ask.
const MOST_ROUNDS: u32 = 32;

impl Running {
    /// Whether the call is inside a step or the phase `after`. Neither must be interrupted.
    pub(crate) fn must_finish(&self) -> bool {
        !self.done && (self.call.has_begun() || self.call.conversation.is_in_step())
    }

    /// Cancels the call, but lets a running step or the phase `after` complete. Returns the outcome if `after` had
    /// begun. Otherwise returns `None`, and the call can be resumed later.
    pub(crate) async fn finish_started(&mut self) -> Option<CallOutcome> {
        self.call.cancel();
        poll_fn(|cx| match self.poll_round(cx) {
            Poll::Ready(Round::Done(outcome)) => Poll::Ready(Some(outcome).filter(|_| self.call.has_begun())),
            _ if !self.must_finish() => Poll::Ready(None),
            _ => self.poll_deadline(cx).map(|_| None),
        })
        .await
    }

    /// Polls the future once, without a new task. Most tools complete in this poll.
    pub(crate) fn poll_once(&mut self) -> Poll<Round> {
        let waker = Waker::from(Arc::clone(&self.call));
        self.poll_round(&mut Context::from_waker(&waker))
    }

    /// Runs the call to the end of the round.
    pub(crate) async fn round(&mut self) -> Round {
        poll_fn(|cx| match self.poll_round(cx) {
            Poll::Pending => self.poll_deadline(cx),
            ready => ready,
        })
        .await
    }

    pub(crate) fn poll_round(&mut self, cx: &mut Context<'_>) -> Poll<Round> {
        loop {
            if let Poll::Ready(outcome) = self.poll_calling(cx) {
                return Poll::Ready(Round::Done(outcome));
            }
            if !self.call.conversation.is_waiting(cx.waker()) {
                return Poll::Pending;
            }
            if !self.answer_early() {
                return self.hand_out();
            }
        }
    }

    fn poll_calling(&mut self, cx: &mut Context<'_>) -> Poll<CallOutcome> {
        let is_first = !std::mem::replace(&mut self.polled, true);
        if !is_first {
            self.call.conversation.forget_driver();
        }
        // A point in time, because computing a duration costs more.
        let is_long_at = Instant::now() + LONG_POLL;
        let Self { execution, call, error, .. } = self;
        let polled = execution.poll(cx, &*call.tool, || call.described(), |failure| failed(call, error, failure));
        let is_long = is_long_at < Instant::now();
        if is_first {
            self.call.tool.note_poll(PollKind::First, is_long);
        }
        if is_long {
            self.note_long_poll(LONG_POLL + is_long_at.elapsed());
        }
        let Poll::Ready(outcome) = polled else { return Poll::Pending };
        self.done = true;
        self.call.finish();
        self.execution.watch.done(outcome.as_ref());
        Poll::Ready(outcome)
    }

    /// Reports a poll that took this time, if it blocked its thread.
    #[cold]
    fn note_long_poll(&self, time: Duration) {
        if BLOCKING_POLL <= time && self.call.tool.is_first_block() {
            crate::report!(
                "the {} ran for {time:.1?} without an `.await`; meanwhile, its thread did nothing else; use an \
                 asynchronous library, or run the work in `tokio::task::spawn_blocking` (this is reported once)",
                self.call.described()
            );
        }
    }

    /// Gives the open questions the answers that the client sent before the call asked. Returns whether any answer was
    /// used.
    fn answer_early(&mut self) -> bool {
        let early = std::mem::take(&mut self.early);
        early.into_iter().fold(false, |any, (key, answer)| any | self.call.conversation.answer_early(&key, answer))
    }

    /// Sends the open questions, or ends the round with them.
    fn hand_out(&mut self) -> Poll<Round> {
        self.permit = Permit::default();
        if self.place.is_some_and(|place| place.round >= MOST_ROUNDS) {
            let message = format!("the {} asked in more than {MOST_ROUNDS} rounds", self.call.described());
            return Poll::Ready(self.end_with(message));
        }
        match self.call.request().as_ref().map(|request| (&request.caller, &request.sink)) {
            Some((Caller::Legacy { session, .. }, sink)) => {
                // Multi-round support is set if the call has asked a question.
                if let Some(asker) = session.questions.begin(&*self.call.server) {
                    while let Some(question) = self.call.conversation.take_new() {
                        asker.ask(&self.call, question, sink);
                    }
                }
                Poll::Pending
            }
            Some((Caller::Modern { .. }, _)) => {
                self.call.conversation.end_round();
                self.execution.watch.asked();
                Poll::Ready(Round::Asks)
            }
            None => Poll::Pending,
        }
    }

    /// Checks the timeout of the call. Time in which the call waits for answers does not count.
    fn poll_deadline(&mut self, cx: &mut Context<'_>) -> Poll<Round> {
        let is_waiting = self.call.conversation.is_waiting(cx.waker());
        let Self { execution, call, .. } = self;
        execution.poll_deadline(cx, is_waiting, || call.described()).map(|message| self.end_with(message))
    }

    /// Ends the call with an error, even if it still runs.
    fn end_with(&mut self, message: String) -> Round {
        self.done = true;
        self.call.cancel();
        let Self { execution, call, error, .. } = self;
        let ended = execution.end_in_layers(&message, |failure| failed(call, error, failure));
        let outcome = ended.unwrap_or_else(|| Ok(CallToolResult::error(message)));
        execution.watch.done(outcome.as_ref());
        Round::Done(outcome)
    }
}

/// Maps the error of a tool or of a layer to the response, and keeps the error.
fn failed(call: &CallState, kept: &mut Option<ToolError>, error: ToolError) -> CallOutcome {
    let error = kept.insert(error);
    if let Some(error) = error.downcast_ref::<UnserializableOutput>() {
        let described = call.described();
        crate::report!("{described}: {error}");
        return Err(RpcError::internal(format!("The result of the {described} could not be serialized")));
    }
    call.map_error(error)
}
