//! Reports the rounds of calls to telemetry.

#![allow(dead_code, reason = "the features decide whether an observer reads what is reported")]

use std::sync::Arc;

use crate::engine::call::{
    CallState,
    host::CallOutcome,
    observer::{Observed, Observer, Runtime, Unobserved},
};

/// Observes one round of a call, from the beginning of the round.
pub(crate) type CallWatch = <<Runtime as Observed>::Observer as RoundObserver>::Call;

/// An [`Observer`] that also observes the rounds of calls.
pub(crate) trait RoundObserver: Observer {
    type Call: CallObserver;

    /// Reports that a round of a call begins. The first round has the number 0.
    fn call(self, call: &Arc<CallState>, round: u32) -> Self::Call;
}

/// Observes one round of a call. Only the first reported end of the round counts.
pub(crate) trait CallObserver {
    /// A guard that ends the effect of [`enter`](Self::enter) when it is dropped.
    type Entered;

    /// Marks the call as the one that this thread runs. Events on this thread then belong to the call.
    fn enter(&self) -> Self::Entered;

    /// Reports that the call has its result.
    fn done(&mut self, _outcome: &CallOutcome) {}

    fn panicked(&mut self) {}

    fn timed_out(&mut self) {}

    fn cancelled(&mut self) {}

    /// Reports that the call was rejected or cancelled before any of its code ran. Another method reports the outcome
    /// of the request.
    fn not_begun(&mut self) {}

    /// Reports that the round ends with questions to the client, and that the call waits for its next round.
    fn asked(&mut self) {}
}

impl RoundObserver for Unobserved {
    type Call = Self;

    fn call(self, _: &Arc<CallState>, _: u32) -> Self::Call {
        self
    }
}

impl CallObserver for Unobserved {
    type Entered = Self;

    fn enter(&self) -> Self::Entered {
        *self
    }
}
