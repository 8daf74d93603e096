//! A call with its future, from its first poll to its result.

use std::{future::pending, pin::Pin, sync::Arc};

use super::{
    admission::Admission,
    execution::{Execution, LayerSignals},
    limits::{Deadline, Permit},
    round_observer::{CallObserver as _, CallWatch, RoundObserver as _},
};
use crate::{
    base::error::ToolError,
    engine::call::{Call, CallState, call_id::Place, observer::observer, operation::Operation},
    wire::protocol::result::CallToolResult,
};

pub(crate) use crate::engine::call::host::CallOutcome;

/// A call with its future and its driver. Boxed, because it is often moved.
pub(crate) struct Running {
    pub(super) execution: Execution<CallFuture, CallWatch>,
    pub(super) call: Arc<CallState>,
    /// Answers that the client sent with the first request, before the call asked the questions.
    pub(super) early: Vec<(String, Arc<str>)>,
    pub(super) polled: bool,
    /// The call's concurrency slots. The call releases them when it asks, because a call that waits does not run.
    pub(super) permit: Permit,
    /// The right of the call to continue after its first request. Taken out when the first request ends and the call
    /// continues.
    pub(crate) admission: Option<Admission>,
    /// The next round, which gets the answers. `None` until the call has asked.
    pub(super) place: Option<Place>,
    /// The error of the author's function or of a layer, if the call has failed with one.
    pub(super) error: Option<ToolError>,
    pub(super) done: bool,
}

/// The future of one call.
pub type CallFuture = Pin<Box<dyn Future<Output = Result<CallToolResult, ToolError>> + Send>>;

/// The future of a call with the layers around it, and the signals to and from these layers.
pub(crate) type LayeredCalling = (CallFuture, Option<Arc<LayerSignals>>);

/// How a round ended.
pub(crate) enum Round {
    Done(CallOutcome),
    /// The call has questions, and the runtime asks the client by ending the request.
    Asks,
}

impl Running {
    pub(crate) fn new(
        calling: CallFuture,
        layers: Option<Arc<LayerSignals>>,
        call: Arc<CallState>,
        early: Vec<(String, Arc<str>)>,
        watch: CallWatch,
    ) -> Box<Self> {
        Box::new(Self {
            execution: Execution::new(calling, layers, call.tool.timeout(), watch),
            call,
            early,
            polled: false,
            permit: Permit::default(),
            admission: None,
            place: None,
            error: None,
            done: false,
        })
    }

    /// Creates a call that was rebuilt from its journal. The call continues in this round.
    pub(crate) fn rebuilt(calling: CallFuture, call: Arc<CallState>, watch: CallWatch, place: Place) -> Box<Self> {
        let mut running = Self::new(calling, None, call, Vec::new(), watch);
        running.call.set_id(place.call);
        running.call.conversation.enter(place.round);
        running.place = Some(place);
        running
    }

    /// Puts layers around the future of the call.
    pub(crate) fn wrap(&mut self, wrap: impl FnOnce(Call, CallFuture) -> LayeredCalling) {
        let Execution { calling, layers, .. } = &mut self.execution;
        let tool = std::mem::replace(calling, Box::pin(pending()));
        (*calling, *layers) = wrap(Call::of(Arc::clone(&self.call)), tool);
    }

    pub(crate) fn call(&self) -> &Arc<CallState> {
        &self.call
    }

    /// Removes the timeout of the call.
    pub(crate) fn without_timeout(mut self: Box<Self>) -> Box<Self> {
        self.execution.deadline = Deadline::new(None);
        self
    }

    /// Takes the concurrency slots of the call. A subscription waits all the time, so it needs no slots.
    pub(crate) fn hold(&mut self, permit: Permit) {
        if self.call.tool.operation() != Operation::Listen {
            self.permit = permit;
        }
    }

    /// Takes the error with which the call has failed. The result of the call contains only its text.
    pub(crate) fn take_error(&mut self) -> Option<ToolError> {
        self.error.take()
    }

    /// Continues this call in the given round. The call takes over the request of `other`.
    pub(crate) fn resume(&mut self, other: &Call, round: u32) {
        self.call.adopt_request(&other.0);
        self.execution.watch = observer().call(&self.call, round);
        self.call.conversation.enter(round);
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
}

impl Drop for Running {
    /// Cancels the call, so that tasks with a clone of its context notice it.
    fn drop(&mut self) {
        if !self.done {
            self.call.cancel();
            let watch = &mut self.execution.watch;
            if self.polled { watch.cancelled() } else { watch.not_begun() }
        }
        // A remaining clone of the context must not keep the lease.
        drop(self.call.claim.lock().take());
    }
}
