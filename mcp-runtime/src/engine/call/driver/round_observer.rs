//! Reports the rounds of calls to telemetry.

#![allow(dead_code, reason = "the features decide whether an observer reads what is reported")]

use std::sync::Arc;

use crate::{
    engine::call::{
        Call, CallState,
        observer::{Observed, Observer, Runtime, Unobserved},
    },
    wire::protocol::{error::RpcError, result::CallToolResult},
};

/// Observes one round of a call, from the beginning of the round.
pub(crate) type CallWatch = <<Runtime as Observed>::Observer as RoundObserver>::Call;

/// An [`Observer`] that also observes the rounds of calls.
pub(crate) trait RoundObserver: Observer {
    /// Observes one round of a call that the client made.
    type Call: CallObserver;

    /// Observes a nested call, in all of its rounds.
    type Nested: CallObserver + Send;

    /// Reports that a round of a call begins. The first round has the number 0.
    fn call(self, call: &Arc<CallState>, round: u32) -> Self::Call;

    /// Observes a nested call from now on. If the returned value is dropped before the end of the call, the call was
    /// cancelled.
    fn nested(self, call: &Call) -> Self::Nested;
}

/// Observes one round of a call. Only the first reported end of the round counts.
pub(crate) trait CallObserver {
    /// A guard that ends the effect of [`enter`](Self::enter) when it is dropped.
    type Entered;

    /// Marks the call as the one that this thread runs. Events on this thread then belong to the call.
    fn enter(&self) -> Self::Entered;

    /// Reports that the call has its result.
    fn done(&mut self, _outcome: Result<&CallToolResult, &RpcError>) {}

    fn panicked(&mut self) {}

    fn timed_out(&mut self) {}

    fn cancelled(&mut self) {}

    /// Reports that the call was rejected or cancelled before any of its code ran. Another method reports the outcome
    /// of the request.
    fn not_begun(&mut self) {}

    /// Reports that a nested call ends with an error, which its caller gets.
    fn failed(&mut self) {}

    /// Reports that a nested call has ended in an earlier round, and has now ended again because the call was rebuilt.
    fn repeated(&mut self) {}

    /// Reports that the round ends with questions to the client, and that the call waits for its next round.
    fn asked(&mut self) {}
}

impl RoundObserver for Unobserved {
    type Call = Self;
    type Nested = Self;

    fn call(self, _: &Arc<CallState>, _: u32) -> Self::Call {
        self
    }

    fn nested(self, _: &Call) -> Self::Nested {
        self
    }
}

impl CallObserver for Unobserved {
    type Entered = Self;

    fn enter(&self) -> Self::Entered {
        *self
    }
}
