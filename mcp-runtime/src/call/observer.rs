//! What is told of requests and calls, for the operator.
//!
//! The floors tell [`observer()`] what happens; only `telemetry/` knows what becomes of it. Which observer that is, the
//! features of the crate decide when it is compiled. Without them it is [`Unobserved`]: its methods are no code, its types
//! have no size.

#![allow(dead_code, reason = "the features decide what is told, and whether an observer reads it")]

use std::{borrow::Cow, sync::Arc, time::Duration};

use super::{CallState, ask::AskError, lease::LedgerError, request::Peer, running::CallOutcome, runtime::Runtime};
use crate::protocol::{error::RpcError, id::Id, params::Meta, revision::Revision};

/// The observer of this build.
#[inline]
pub(crate) fn observer() -> <Runtime as Observed>::Observer {
    Runtime::OBSERVER
}

/// Observes a call, from the begin of a round.
pub(crate) type CallWatch = <<Runtime as Observed>::Observer as Observer>::Call;

/// Observes a session until it is dropped.
pub(crate) type SessionWatch = <<Runtime as Observed>::Observer as Observer>::Session;

/// The trace that a request is part of, as far as it is observed.
pub(crate) type RequestTrace = <<Runtime as Observed>::Observer as Observer>::Trace;

/// Provides the observer.
pub(crate) trait Observed {
    type Observer: Observer;

    const OBSERVER: Self::Observer;
}

/// Is told what happens, and does nothing with it by default.
///
/// The observer knows which request a thread answers: what is told of a request does not name it.
pub(crate) trait Observer: Copy {
    /// A request on the thread that answers it.
    type Request;
    type Call: CallObserver;
    type Session;
    type Trace;

    /// Observes a request that this thread answers, until the returned value is dropped. `revision` is called only if
    /// the observer records it.
    fn request(
        self,
        peer: &Peer,
        id: &Id<'_>,
        method: &str,
        meta: &Meta<'_>,
        revision: impl FnOnce() -> Option<Revision>,
    ) -> Self::Request;

    /// The request is answered when the future is ready, and no longer by this thread. It is cancelled if the future is
    /// dropped before that.
    fn follow<F: Future + Send>(self, future: F) -> impl Future<Output = F::Output> + Send {
        future
    }

    /// The request calls this tool, which the server has.
    fn tool(self, _name: &str) {}

    /// The request opens a session of this revision.
    fn session(self, revision: Revision) -> Self::Session;

    /// The request is answered with an error.
    fn refused(self, _error: &RpcError) {}

    /// The request is answered as an earlier one was.
    fn repeated(self) {}

    /// The trace that the request is part of.
    fn trace(self) -> Self::Trace;

    /// A request is refused for want of this resource.
    fn turned_away(self, _resource: &'static str) {}

    /// An HTTP request is answered.
    fn responded(self, _method: &str, _status: u16) {}

    /// A round of a call begins. The first one is 0.
    fn call(self, call: &Arc<CallState>, round: u32) -> Self::Call;

    /// A question to the client has come to an end.
    fn answered(self, _method: &'static str, _answer: Result<&str, &AskError>) {}

    /// A server is built.
    fn built(self) {}

    /// Whether the observer is to be told of the ledger's operations.
    fn times_ledger(self) -> bool {
        false
    }

    /// An operation of the ledger has ended.
    fn ledger_operation(self, _operation: &LedgerOperation<'_>) {}

    /// The server asks a model itself. `end` reads from the future's output how that ended.
    fn chat<F: Future + Send>(
        self,
        _chat: &ChatRequest<'_>,
        future: F,
        _end: impl FnOnce(&F::Output) -> ChatEnd<'_> + Send,
    ) -> impl Future<Output = F::Output> + Send {
        future
    }

    /// A model is asked once more, after this delay.
    fn chat_retried(self, _error_type: &str, _delay: Duration) {}
}

/// Is told how a round of a call goes on. The first end counts.
pub(crate) trait CallObserver {
    /// Leaves the call when it is dropped.
    type Entered;

    /// Enters the call on this thread.
    fn enter(&self) -> Self::Entered;

    /// The call has its result.
    fn done(&mut self, _outcome: &CallOutcome) {}

    fn panicked(&mut self) {}

    fn timed_out(&mut self) {}

    fn cancelled(&mut self) {}

    /// The call was refused or cancelled before any of its code ran. How its request ends is another matter.
    fn not_begun(&mut self) {}

    /// The round ends with questions: the call waits for the next one.
    fn asked(&mut self) {}
}

/// An operation of the ledger that has ended.
pub(crate) struct LedgerOperation<'a> {
    pub(crate) name: &'static str,
    pub(crate) took: Duration,
    pub(crate) error: Option<&'a LedgerError>,
    pub(crate) is_conflict: bool,
}

/// A request to a model, as far as an operator may see it.
pub(crate) struct ChatRequest<'a> {
    /// As OpenTelemetry calls it.
    pub(crate) provider: &'static str,
    pub(crate) model: &'a str,
    pub(crate) max_tokens: u32,
    pub(crate) temperature: Option<f64>,
    pub(crate) wants_json: bool,
    pub(crate) host: Option<&'a str>,
    pub(crate) port: Option<u16>,
}

/// How a request to a model ended.
pub(crate) enum ChatEnd<'a> {
    Replied {
        model: &'a str,
        stop_reason: Option<&'a str>,
        input_tokens: Option<u64>,
        output_tokens: Option<u64>,
    },
    /// With an error of this type: one of a few words, or a status.
    Failed(Cow<'static, str>),
}

/// Observes nothing, at no cost.
#[derive(Clone, Copy)]
pub(crate) struct Unobserved;

impl Observer for Unobserved {
    type Request = Self;
    type Call = Self;
    type Session = Self;
    type Trace = Self;

    fn request(
        self,
        _: &Peer,
        _: &Id<'_>,
        _: &str,
        _: &Meta<'_>,
        _: impl FnOnce() -> Option<Revision>,
    ) -> Self::Request {
        self
    }

    fn session(self, _: Revision) -> Self::Session {
        self
    }

    fn trace(self) -> Self::Trace {
        self
    }

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
