//! The driver. It polls a call's future, round by round, until the call has a result.

use std::{
    future::{pending, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use super::{
    Call, CallState,
    call_target::PollKind,
    deadline::Deadline,
    journal::Answered,
    multi_round::Admitted,
    observer::{CallObserver as _, CallWatch, Observer as _, observer},
    operation::Operation,
    permit::Permit,
    place::Place,
    request::Caller,
};
use crate::{
    base::error::{ToolError, UnserializableOutput},
    wire::protocol::{error::RpcError, result::CallToolResult},
};

/// If a poll on the thread that receives messages takes longer than this, it counts as blocking. If the polls of a tool
/// are often blocking, the server polls that tool on another thread.
pub(super) const LONG_POLL: Duration = Duration::from_millis(10);

/// If a poll takes longer than this, the server reports that the tool blocks its thread.
const BLOCKING_POLL: Duration = Duration::from_secs(1);

/// The maximum number of rounds in which a call can ask.
const MOST_ROUNDS: u32 = 32;

/// A call with its future and its driver. Boxed, because it is often moved.
pub(crate) struct Running {
    calling: Calling,
    call: Arc<CallState>,
    layers: Option<Arc<dyn Layered>>,
    /// Answers that the client sent with the first request, before the call asked the questions.
    early: Vec<(String, Arc<str>)>,
    deadline: Deadline,
    watch: CallWatch,
    polled: bool,
    /// The call's concurrency slots. The call releases them when it asks, because a call that waits does not run.
    permit: Permit,
    /// The right of the call to continue after its first request. Taken out when the first request ends and the call
    /// continues.
    admitted: Option<Admitted>,
    /// The next round, which gets the answers. `None` until the call has asked.
    place: Option<Place>,
    done: bool,
}

/// The future of one call.
pub type Calling = Pin<Box<dyn Future<Output = Result<CallToolResult, ToolError>> + Send>>;

pub(crate) type CallOutcome = Result<CallToolResult, RpcError>;

/// The interface through which the driver of a call uses the layers around the call.
pub(crate) trait Layered: Send + Sync {
    /// Makes the layers end the call with this error result at their next poll.
    fn end(&self, message: &str);

    /// Whether the tool or a layer panicked.
    fn has_panicked(&self) -> bool;
}

/// The future of a call with the layers around it, and the interface to these layers.
pub(crate) type LayeredCalling = (Calling, Option<Arc<dyn Layered>>);

/// How a round ended.
pub(crate) enum Round {
    Done(CallOutcome),
    /// The call has questions, and the runtime asks the client by ending the request.
    Asks,
}

impl Running {
    pub(crate) fn new(
        calling: Calling,
        layers: Option<Arc<dyn Layered>>,
        call: Arc<CallState>,
        early: Vec<(String, Arc<str>)>,
        watch: CallWatch,
    ) -> Box<Self> {
        let timeout = call.tool.timeout();
        Box::new(Self {
            calling,
            call,
            layers,
            early,
            deadline: Deadline::new(timeout),
            watch,
            polled: false,
            permit: Permit::default(),
            admitted: None,
            place: None,
            done: false,
        })
    }

    /// Creates a call that was rebuilt from its journal. The call continues in this round.
    pub(crate) fn rebuilt(calling: Calling, call: Arc<CallState>, watch: CallWatch, place: Place) -> Box<Self> {
        let mut running = Self::new(calling, None, call, Vec::new(), watch);
        running.call.set_id(place.call);
        running.call.conversation.enter(place.round);
        running.place = Some(place);
        running
    }

    /// Puts layers around the future of the call.
    pub(crate) fn wrap(&mut self, wrap: impl FnOnce(Call, Calling) -> LayeredCalling) {
        let calling = std::mem::replace(&mut self.calling, Box::pin(pending()));
        (self.calling, self.layers) = wrap(Call(Arc::clone(&self.call)), calling);
    }

    pub(crate) fn call(&self) -> &Arc<CallState> {
        &self.call
    }

    /// Removes the timeout of the call.
    pub(crate) fn without_timeout(mut self: Box<Self>) -> Box<Self> {
        self.deadline = Deadline::new(None);
        self
    }

    /// Takes the concurrency slots of the call. A subscription waits all the time, so it needs no slots.
    pub(crate) fn hold(&mut self, permit: Permit) {
        if self.call.tool.operation() != Operation::Listen {
            self.permit = permit;
        }
    }

    pub(crate) fn admit(&mut self, admitted: Admitted) {
        self.admitted = Some(admitted);
    }

    pub(crate) fn take_admitted(&mut self) -> Option<Admitted> {
        self.admitted.take()
    }

    /// Continues this call in the given round. The call takes over the request of `other`, and gets these answers.
    pub(crate) fn resume(&mut self, other: &Call, round: u32, answers: Vec<Answered>) {
        self.call.adopt_request(&other.0);
        self.watch = observer().call(&self.call, round);
        self.call.conversation.enter(round);
        for answered in answers {
            self.call.conversation.answer(&answered.key, answered.answer());
        }
    }

    /// Sets the id of the call, and the round in which the call begins.
    pub(crate) fn begin_at(&mut self, place: Place) {
        self.call.set_id(place.call);
        self.place = Some(place);
    }

    /// Returns the current round. Between two rounds, returns the next round.
    pub(crate) fn place(&self) -> Option<Place> {
        self.place
    }

    /// Ends the current round, and returns the next round.
    pub(crate) fn next_place(&mut self) -> Place {
        let next = match self.place {
            Some(place) => Place { round: place.round + 1, ..place },
            None => Place { call: self.call.id(), round: 1, first: 1 },
        };
        *self.place.insert(next)
    }

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

    fn poll_round(&mut self, cx: &mut Context<'_>) -> Poll<Round> {
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
        let _entered = self.watch.enter();
        // Formatting the error also runs the author's code.
        let polled = catch_unwind(AssertUnwindSafe(|| {
            self.calling.as_mut().poll(cx).map(|outcome| outcome.or_else(|error| self.failed(&error)))
        }));
        let is_long = is_long_at < Instant::now();
        if is_first {
            self.call.tool.note_poll(PollKind::First, is_long);
        }
        if is_long {
            self.note_long_poll(LONG_POLL + is_long_at.elapsed());
        }
        let outcome = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(mut outcome)) => {
                if let Ok(result) = &mut outcome
                    && let Some(error) = self.non_finite_number(result)
                {
                    *result = error;
                }
                outcome
            }
            Err(_) => {
                self.watch.panicked();
                Ok(panicked(&self.call.described()))
            }
        };
        self.done = true;
        self.call.finish();
        if self.layers.as_ref().is_some_and(|layers| layers.has_panicked()) {
            self.watch.panicked();
        }
        self.watch.done(&outcome);
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
        match self.call.request().as_ref().map(|request| (&request.caller, &request.outlet)) {
            Some((Caller::Legacy { questions, .. }, outlet)) => {
                // Multi-round support is set if the call has asked a question.
                if let Some(multi_round) = self.call.server.multi_round().get() {
                    let asker = questions.begin(*multi_round);
                    let new = self.call.conversation.take_new();
                    new.iter().for_each(|question| asker.ask(&self.call, question, outlet));
                }
                Poll::Pending
            }
            Some((Caller::Modern { .. }, _)) => {
                self.watch.asked();
                Poll::Ready(Round::Asks)
            }
            None => Poll::Pending,
        }
    }

    /// Maps a tool's error to the response.
    fn failed(&self, error: &ToolError) -> CallOutcome {
        if let Some(error) = error.downcast_ref::<UnserializableOutput>() {
            let described = self.call.described();
            crate::report!("{described}: {error}");
            return Err(RpcError::internal(format!("The result of the {described} could not be serialized")));
        }
        self.call.server.map_error(&self.call, error)
    }

    /// Returns an error if the result has a number that is not finite. Such a number is written as `null`, which the
    /// tool's output schema does not allow, so clients would reject the result without an explanation.
    fn non_finite_number(&self, result: &CallToolResult) -> Option<CallToolResult> {
        let content = result.structured.as_deref().filter(|_| !result.is_error)?;
        let place = self.call.tool.non_finite_number(content.get())?;
        let message = format!(
            "the result of the {} has a number that is not finite, which JSON cannot carry: {place}",
            self.call.described()
        );
        crate::base::report::report_limited!("{message}");
        Some(CallToolResult::error(message))
    }

    /// Checks the timeout of the call. Time in which the call waits for answers does not count.
    fn poll_deadline(&mut self, cx: &mut Context<'_>) -> Poll<Round> {
        if self.call.conversation.is_waiting(cx.waker()) {
            self.deadline.pause();
            return Poll::Pending;
        }
        self.deadline.poll(cx).map(|timeout| {
            self.watch.timed_out();
            let message = format!("the {} did not finish within {timeout:?}", self.call.described());
            self.end_with(message)
        })
    }

    /// Ends the call with an error, even if it still runs.
    fn end_with(&mut self, message: String) -> Round {
        self.done = true;
        self.call.cancel();
        let outcome = self.end_in_layers(&message).unwrap_or_else(|| Ok(CallToolResult::error(message)));
        self.watch.done(&outcome);
        Round::Done(outcome)
    }

    /// Makes the layers end the call with an error, although the tool still runs. The layers are polled only once,
    /// because the timeout has passed.
    fn end_in_layers(&mut self, message: &str) -> Option<CallOutcome> {
        self.layers.as_ref()?.end(message);
        let _entered = self.watch.enter();
        let polled = catch_unwind(AssertUnwindSafe(|| {
            let polled = self.calling.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            polled.map(|outcome| outcome.or_else(|error| self.failed(&error)))
        }));
        match polled {
            Ok(Poll::Ready(outcome)) => Some(outcome),
            Ok(Poll::Pending) | Err(_) => None,
        }
    }
}

/// Returns the result of a call that panicked. The panic message is written to standard error, and the model does not
/// get it.
pub(crate) fn panicked(described: &str) -> CallToolResult {
    CallToolResult::error(format!("internal error: the {described} panicked"))
}

impl Drop for Running {
    /// Cancels the call, so that tasks with a clone of its context notice it.
    fn drop(&mut self) {
        if !self.done {
            self.call.cancel();
            if self.polled { self.watch.cancelled() } else { self.watch.not_begun() }
        }
        // A remaining clone of the context must not keep the lease.
        drop(self.call.take_claim());
    }
}
