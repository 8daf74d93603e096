//! Observes a nested call. Its span ends with each round of the call around it, because a span that stays open would keep
//! the span of its caller open, too.

use std::sync::{Arc, Weak};

use super::call::ObservedCall;
use crate::{
    base::mutex::Mutex,
    edge::telemetry::{outcome::ObservedOutcome, spans::EnteredSpan},
    engine::call::{Call, conversation::EndsWithRound, round_observer::CallObserver},
    wire::protocol::{error::RpcError, result::CallToolResult},
};

pub(crate) struct ObservedNested {
    call: Call,
    round: Arc<NestedRound>,
}

/// The current round of the call. `None` until the call is polled in this round.
#[derive(Default)]
struct NestedRound(Mutex<Option<Box<ObservedCall>>>);

impl ObservedNested {
    pub(super) fn new(call: &Call) -> Self {
        Self { call: call.clone(), round: Arc::default() }
    }

    fn on_round(&self, at: impl FnOnce(&mut ObservedCall)) {
        if let Some(round) = &mut *self.round.0.lock() {
            at(round);
        }
    }
}

impl CallObserver for ObservedNested {
    type Entered = Option<EnteredSpan>;

    fn enter(&self) -> Self::Entered {
        let mut round = self.round.0.lock();
        let round = round.get_or_insert_with(|| {
            let round: Weak<NestedRound> = Arc::downgrade(&self.round);
            self.call.0.conversation.end_with_round(round);
            ObservedCall::nested(&self.call)
        });
        round.enter()
    }

    fn done(&mut self, outcome: Result<&CallToolResult, &RpcError>) {
        self.on_round(|round| round.end(ObservedOutcome::of(outcome)));
    }

    fn panicked(&mut self) {
        self.on_round(|round| round.end(ObservedOutcome::Panicked));
    }

    fn timed_out(&mut self) {
        self.on_round(|round| round.end(ObservedOutcome::TimedOut));
    }

    fn cancelled(&mut self) {
        self.on_round(|round| {
            round.end(ObservedOutcome::Cancelled);
            round.close();
        });
    }

    fn failed(&mut self) {
        self.on_round(|round| round.end(ObservedOutcome::ToolError));
    }

    fn repeated(&mut self) {
        self.on_round(|round| round.end_unmeasured(ObservedOutcome::Repeated));
    }
}

impl Drop for ObservedNested {
    fn drop(&mut self) {
        self.cancelled();
    }
}

impl EndsWithRound for NestedRound {
    fn end_round(&self) {
        if let Some(mut round) = self.0.lock().take() {
            round.end(ObservedOutcome::Asked);
        }
    }
}
