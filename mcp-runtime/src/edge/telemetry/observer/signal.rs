//! The signals of telemetry: spans and measurements.

use std::{sync::Arc, time::Duration};

#[cfg(not(feature = "metrics"))]
pub(super) use self::Off as Meters;
#[cfg(not(feature = "tracing"))]
pub(super) use self::Off as Spans;
use super::outcome::ObservedOutcome;
#[cfg(feature = "metrics")]
pub(super) use crate::edge::telemetry::meters::Meters;
#[cfg(feature = "tracing")]
pub(super) use crate::edge::telemetry::spans::Spans;
use crate::{
    engine::call::{
        CallState,
        ask_error::AskError,
        observer::{ChatEnd, ChatRequest, LedgerOperation},
        request::Peer,
    },
    wire::protocol::{id::Id, params::Meta, revision::Revision},
};

/// A telemetry signal as OpenTelemetry defines it: spans or measurements. The default methods record nothing.
pub(crate) trait Signal {
    type Request: RequestSignal;
    type Call: CallSignal;
    /// A value that records a call while it waits for its next round.
    type Parked;
    /// A value that records a session while it is open.
    type Session;
    type Trace;

    const TIMES_LEDGER: bool = false;

    fn parked() -> Self::Parked;

    fn session(revision: Revision) -> Self::Session;

    /// Returns the trace of this request, if any.
    fn trace(request: Option<&Self::Request>) -> Self::Trace;

    fn turned_away(_resource: &'static str) {}

    fn responded(_method: &str, _status: u16) {}

    fn answered(_method: &'static str, _answer: Result<&str, &AskError>) {}

    /// Describes the signal's measurements to the recorder.
    fn describe() {}

    fn ledger_operation(_operation: &LedgerOperation<'_>) {}

    fn chat<F: Future + Send>(
        _chat: &ChatRequest<'_>,
        future: F,
        _end: impl FnOnce(&F::Output) -> ChatEnd<'_> + Send,
    ) -> impl Future<Output = F::Output> + Send {
        future
    }

    fn chat_retried(_error_type: &str, _delay: Duration) {}
}

/// Records one request, from its arrival to its answer.
pub(crate) trait RequestSignal {
    /// A guard that exits the request's span when it is dropped.
    type Entered;

    fn begin(peer: &Peer, id: &Id<'_>, method: &str, meta: &Meta<'_>, revision: Option<Revision>) -> Self;

    fn enter(&self) -> Self::Entered;

    fn revision(&mut self, revision: Revision);

    /// Records the name of a registered tool. The observer does not call this method if the tool is unknown.
    fn tool(&mut self, name: &str);

    fn end(self, outcome: ObservedOutcome);
}

/// Records one round of a call, from its start to its end.
pub(crate) trait CallSignal {
    /// A guard that exits the call's span when it is dropped.
    type Entered;

    fn begin(call: &Arc<CallState>, round: u32) -> Self;

    fn enter(&self) -> Self::Entered;

    fn end(&mut self, outcome: ObservedOutcome, took: Duration);
}

/// A signal that records nothing. It replaces a signal whose feature is off. It also replaces guards that a signal does
/// not need.
pub(crate) struct Off;

impl Signal for Off {
    type Request = Self;
    type Call = Self;
    type Parked = Self;
    type Session = Self;
    type Trace = Self;

    fn parked() -> Self {
        Self
    }

    fn session(_: Revision) -> Self {
        Self
    }

    fn trace(_: Option<&Self>) -> Self {
        Self
    }
}

impl RequestSignal for Off {
    type Entered = Self;

    fn begin(_: &Peer, _: &Id<'_>, _: &str, _: &Meta<'_>, _: Option<Revision>) -> Self {
        Self
    }

    fn enter(&self) -> Self {
        Self
    }

    fn revision(&mut self, _: Revision) {}

    fn tool(&mut self, _: &str) {}

    fn end(self, _: ObservedOutcome) {}
}

impl CallSignal for Off {
    type Entered = Self;

    fn begin(_: &Arc<CallState>, _: u32) -> Self {
        Self
    }

    fn enter(&self) -> Self {
        Self
    }

    fn end(&mut self, _: ObservedOutcome, _: Duration) {}
}
