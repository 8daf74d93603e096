//! The driver: from a call's future to its result, round by round.

use std::{
    future::{pending, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use serde_json::value::RawValue;

use super::{
    Call, CallState,
    deadline::Deadline,
    journal::Answered,
    multi_round::Admitted,
    observer::{CallObserver as _, CallWatch, Observer as _, observer},
    permit::Permit,
    place::Place,
    request::Caller,
};
use crate::{
    error::{ToolError, UnserializableOutput},
    protocol::{error::RpcError, result::CallToolResult},
};

/// A first poll that takes longer than this has held up everybody. A tool that keeps doing so is polled elsewhere.
const LONG_POLL: Duration = Duration::from_millis(10);

/// A call that has asked in so many rounds does not come to an end.
const MOST_ROUNDS: u32 = 32;

/// A call on its way: the author's future, and what drives it. It changes hands too often to be handed on by value.
pub(crate) struct Running {
    calling: Calling,
    call: Arc<CallState>,
    layers: Option<Arc<dyn Layered>>,
    /// Answers that came with the first request, for questions not asked yet.
    early: Vec<(String, Arc<RawValue>)>,
    deadline: Deadline,
    watch: CallWatch,
    polled: bool,
    /// Its share of the calls that may run at once. Given back when it asks: whoever waits for a person does not run.
    permit: Permit,
    /// Its right to outlive its first request, until it does.
    admitted: Option<Admitted>,
    /// The round it waits for, once it has asked.
    place: Option<Place>,
    done: bool,
}

/// The future of one call.
pub type Calling = Pin<Box<dyn Future<Output = Result<CallToolResult, ToolError>> + Send>>;

/// What a call comes to.
pub(crate) type Outcome = Result<CallToolResult, RpcError>;

/// The layers around a call, as its driver sees them.
pub(crate) trait Layered: Send + Sync {
    /// Ends the call with this error result as soon as the layers are polled again.
    fn end(&self, message: &str);

    /// Whether the tool or a layer panicked.
    fn has_panicked(&self) -> bool;
}

/// The future of a call with the layers around it.
pub(crate) type LayeredCalling = (Calling, Option<Arc<dyn Layered>>);

/// How far a call came before somebody else must act.
pub(crate) enum Round {
    Done(Outcome),
    /// The client is asked by ending its request.
    Asks,
}

impl Running {
    pub(crate) fn new(
        calling: Calling,
        layers: Option<Arc<dyn Layered>>,
        call: Arc<CallState>,
        early: Vec<(String, Arc<RawValue>)>,
        watch: CallWatch,
    ) -> Box<Self> {
        let timeout = call.server.timeout(call.tool);
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

    /// A call that goes on at this round, from its journal.
    pub(crate) fn rebuilt(calling: Calling, call: Arc<CallState>, watch: CallWatch, place: Place) -> Box<Self> {
        let mut running = Self::new(calling, None, call, Vec::new(), watch);
        running.call.goes_on_as(place.call);
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

    pub(crate) fn hold(&mut self, permit: Permit) {
        self.permit = permit;
    }

    pub(crate) fn admit(&mut self, admitted: Admitted) {
        self.admitted = Some(admitted);
    }

    pub(crate) fn take_admitted(&mut self) -> Option<Admitted> {
        self.admitted.take()
    }

    /// Goes on in this round under another request, with what it answers.
    pub(crate) fn resume(&mut self, other: &Call, round: u32, answers: Vec<Answered>) {
        self.call.answer_instead_of(&other.0);
        self.watch = observer().call(&self.call, round);
        self.call.conversation.enter(round);
        for answered in answers {
            self.call.conversation.answer(&answered.key, answered.answer());
        }
    }

    /// Its record begins with its first round.
    pub(crate) fn begin_at(&mut self, place: Place) {
        self.call.goes_on_as(place.call);
        self.place = Some(place);
    }

    /// The round it waits for or is in, once it has asked.
    pub(crate) fn place(&self) -> Option<Place> {
        self.place
    }

    /// Where the call goes on after the round that ends now.
    pub(crate) fn next_place(&mut self) -> Place {
        let next = match self.place {
            Some(place) => Place { round: place.round + 1, ..place },
            None => Place { call: self.call.id(), round: 1, first: 1 },
        };
        *self.place.insert(next)
    }

    /// Whether something is on its way that is not to be left half done, whoever waits for it.
    pub(crate) fn must_go_on(&self) -> bool {
        !self.done && (self.call.has_begun() || self.call.conversation.is_in_step())
    }

    /// Goes on for as long as it must, though nobody waits for it. Ready with the outcome of what has begun; a call that
    /// has only done a step comes to none, and can be taken up again.
    pub(crate) async fn run_out(&mut self) -> Option<Outcome> {
        self.call.cancel();
        poll_fn(|cx| match self.poll_round(cx) {
            Poll::Ready(Round::Done(outcome)) => Poll::Ready(Some(outcome).filter(|_| self.call.has_begun())),
            _ if !self.must_go_on() => Poll::Ready(None),
            _ => self.poll_deadline(cx).map(|_| None),
        })
        .await
    }

    /// Polls the future where it stands: most tools that need not wait are done with it, and need no task.
    pub(crate) fn poll_once(&mut self) -> Poll<Round> {
        self.poll_round(&mut Context::from_waker(Waker::noop()))
    }

    /// Runs to the end of the round.
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

    fn poll_calling(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        let start = (!std::mem::replace(&mut self.polled, true)).then(Instant::now);
        let _entered = self.watch.enter();
        // The error's own text is the author's code as well.
        let polled = catch_unwind(AssertUnwindSafe(|| {
            self.calling.as_mut().poll(cx).map(|outcome| outcome.or_else(|error| self.failed(&error)))
        }));
        if let Some(start) = start {
            self.call.server.note_first_poll(self.call.tool, LONG_POLL < start.elapsed());
        }
        let outcome = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(mut outcome)) => {
                if let Ok(result) = &mut outcome
                    && let Some(error) = self.lost_number(result)
                {
                    *result = error;
                }
                outcome
            }
            Err(_) => {
                self.watch.panicked();
                Ok(panicked(self.call.tool_name()))
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

    /// Whether one of the questions had its answer before it was asked.
    fn answer_early(&mut self) -> bool {
        let early = std::mem::take(&mut self.early);
        early.into_iter().fold(false, |any, (key, answer)| any | self.call.conversation.answer_early(&key, answer))
    }

    /// Hands the open questions to whoever answers them.
    fn hand_out(&mut self) -> Poll<Round> {
        self.permit = Permit::default();
        if self.place.is_some_and(|place| place.round >= MOST_ROUNDS) {
            let message = format!("the tool `{}` asked in more than {MOST_ROUNDS} rounds", self.call.tool_name());
            return Poll::Ready(self.end_with(message));
        }
        match self.call.request().as_ref().map(|request| (&request.caller, &request.outlet)) {
            Some((Caller::Legacy { questions, .. }, outlet)) => {
                // The ask that is open has linked it.
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

    /// What the client gets for a tool's error.
    fn failed(&self, error: &ToolError) -> Outcome {
        let name = self.call.tool_name();
        if let Some(error) = error.downcast_ref::<UnserializableOutput>() {
            crate::report!("tool `{name}`: {error}");
            return Err(RpcError::internal(format!("The tool `{name}` gave no valid result")));
        }
        self.call.server.map_error(&self.call, error)
    }

    /// A number that is not finite became a `null`, which the tool's output schema does not allow: a client would refuse
    /// the result without a word. It gets this one.
    fn lost_number(&self, result: &CallToolResult) -> Option<CallToolResult> {
        let content = result.structured.as_deref().filter(|_| !result.is_error)?;
        let place = self.call.server.lost_number(self.call.tool, content.get())?;
        let message = format!(
            "the result of the tool `{}` has a number that is not finite, which JSON cannot carry: {place}",
            self.call.tool_name()
        );
        crate::report::report_limited!("{message}");
        Some(CallToolResult::error(message))
    }

    /// Time spent waiting for an answer is not the tool's.
    fn poll_deadline(&mut self, cx: &mut Context<'_>) -> Poll<Round> {
        if self.call.conversation.is_waiting(cx.waker()) {
            self.deadline.pause();
            return Poll::Pending;
        }
        self.deadline.poll(cx).map(|timeout| {
            self.watch.timed_out();
            let message = format!("the tool `{}` did not finish within {timeout:?}", self.call.tool_name());
            self.end_with(message)
        })
    }

    /// Ends the call, whatever it still does.
    fn end_with(&mut self, message: String) -> Round {
        self.done = true;
        self.call.cancel();
        let outcome = self.end_in_layers(&message).unwrap_or_else(|| Ok(CallToolResult::error(message)));
        self.watch.done(&outcome);
        Round::Done(outcome)
    }

    /// What the layers make of a result that ends the call while its tool still runs. They are polled once: nothing
    /// limits their time any more.
    fn end_in_layers(&mut self, message: &str) -> Option<Outcome> {
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

/// The result of a call that panicked. The message of the panic went to standard error: it is not for the model.
pub(crate) fn panicked(tool: &str) -> CallToolResult {
    CallToolResult::error(format!("internal error: the tool `{tool}` panicked"))
}

impl Drop for Running {
    /// Whatever the call started and still holds its context learns that nobody waits for it.
    fn drop(&mut self) {
        if !self.done {
            self.call.cancel();
            if self.polled { self.watch.cancelled() } else { self.watch.not_begun() }
        }
        // Whoever keeps the context of the call does not keep its round.
        drop(self.call.take_claim());
    }
}
