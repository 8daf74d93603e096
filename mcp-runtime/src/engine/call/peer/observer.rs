//! Reports requests and calls to telemetry.
//!
//! Every module reports events to [`observer()`], and `telemetry` implements it. The features of the crate select
//! the observer at compile time. Without these features the observer is [`Unobserved`], which does nothing and uses no
//! memory.

#![allow(dead_code, reason = "the features decide what is reported, and whether an observer reads it")]

#[cfg(feature = "dev")]
use std::sync::Arc;
use std::{borrow::Cow, time::Duration};

use super::Peer;
use crate::{
    engine::call::{ask_error::AskError, lease::LedgerError},
    wire::protocol::{error::RpcError, id::Id, params::Meta, revision::Revision},
};

/// Represents the crate. A module declares a trait with the functions that it needs, and a later module implements the
/// trait for this type. The linker still removes functions that a program does not use.
pub(crate) struct Runtime;

/// Returns the observer of this build.
#[inline]
pub(crate) fn observer() -> <Runtime as Observed>::Observer {
    Runtime::OBSERVER
}

/// Observes a session until this value is dropped.
pub(crate) type SessionWatch = <<Runtime as Observed>::Observer as Observer>::Session;

/// The trace of a request, if traces are observed.
pub(crate) type RequestTrace = <<Runtime as Observed>::Observer as Observer>::Trace;

pub(crate) trait Observed {
    type Observer: Observer;

    const OBSERVER: Self::Observer;
}

/// Observes events. By default a method does nothing.
///
/// The observer knows which request the current thread answers, so most methods have no parameter for the request.
pub(crate) trait Observer: Copy {
    /// A guard for the request that a thread answers. The observation ends when the guard is dropped.
    type Request;
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

    /// Moves the current request from this thread into a future. The request is answered when the future is ready, and
    /// cancelled if the future is dropped before that.
    fn follow<F: Future + Send>(self, future: F) -> impl Future<Output = F::Output> + Send {
        future
    }

    /// Reports that the current request calls this tool.
    fn tool(self, _name: &str) {}

    /// Reports that the current request opens a session of this revision. The session ends when the returned value is
    /// dropped.
    fn session(self, revision: Revision) -> Self::Session;

    /// Reports that the current request is answered with an error.
    fn refused(self, _error: &RpcError) {}

    /// Reports that the current request repeats an earlier one and gets the recorded reply.
    fn repeated(self) {}

    /// Returns the trace of the current request.
    fn trace(self) -> Self::Trace;

    /// Returns the id of the current request, as JSON text.
    #[cfg(feature = "dev")]
    fn request_id(self) -> Option<Arc<str>> {
        None
    }

    /// Reports that a phase or a step begins to run, for the request with this id.
    #[cfg(feature = "dev")]
    fn ran(self, _request: Option<&str>, _what: &dyn std::fmt::Display) {}

    /// Reports that a request is rejected because this resource is exhausted.
    fn turned_away(self, _resource: &'static str) {}

    /// Reports that an HTTP request is answered.
    fn responded(self, _method: &str, _status: u16) {}

    /// Reports that a question to the client is answered or has failed.
    fn answered(self, _method: &'static str, _answer: Result<&str, &AskError>) {}

    /// Reports that a server is built.
    fn built(self) {}

    /// Returns whether the observer records the operations of the ledger.
    fn times_ledger(self) -> bool {
        false
    }

    /// Reports that an operation of the ledger has ended.
    fn ledger_operation(self, _operation: &LedgerOperation<'_>) {}

    /// Observes a request that the server sends to a model through its own provider. `end` reads the outcome from the
    /// future's output.
    fn chat<F: Future + Send>(
        self,
        _chat: &ChatRequest<'_>,
        future: F,
        _end: impl FnOnce(&F::Output) -> ChatEnd<'_> + Send,
    ) -> impl Future<Output = F::Output> + Send {
        future
    }

    /// Reports that a model will be asked once more, after this delay.
    fn chat_retried(self, _error_type: &str, _delay: Duration) {}
}

/// A finished operation of the ledger.
pub(crate) struct LedgerOperation<'a> {
    pub(crate) name: &'static str,
    pub(crate) took: Duration,
    pub(crate) error: Option<&'a LedgerError>,
    pub(crate) is_conflict: bool,
}

/// The parts of a request to a model that telemetry may record.
pub(crate) struct ChatRequest<'a> {
    /// The name that OpenTelemetry uses for the provider.
    pub(crate) provider: &'static str,
    pub(crate) model: &'a str,
    pub(crate) max_tokens: u32,
    pub(crate) temperature: Option<f64>,
    pub(crate) wants_json: bool,
    pub(crate) host: Option<&'a str>,
    pub(crate) port: Option<u16>,
}

/// The end of a request to a model.
pub(crate) enum ChatEnd<'a> {
    Replied {
        model: &'a str,
        stop_reason: Option<&'a str>,
        input_tokens: Option<u64>,
        output_tokens: Option<u64>,
    },
    /// The request failed. This value holds the type of the error, such as `timeout` or an HTTP status.
    Failed(Cow<'static, str>),
}

/// The observer of builds without telemetry.
#[derive(Clone, Copy)]
pub(crate) struct Unobserved;

impl Observer for Unobserved {
    type Request = Self;
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
}
