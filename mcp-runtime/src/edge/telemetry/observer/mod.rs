//! The observer of a program with the feature `tracing`, `metrics` or both.

mod call;
mod nested;
pub(crate) mod request;

use std::{sync::Arc, time::Duration};

use self::{call::ObservedCall, nested::ObservedNested, request::AnsweredRequest};
use super::{
    meters::{self, SessionMeter},
    outcome::ObservedOutcome,
    spans::{self, RequestSpan, SpanTrace},
};
use crate::{
    engine::call::{
        Call, CallState,
        ask_error::AskError,
        observer::{ChatEnd, ChatRequest, LedgerOperation, Observed, Observer, Runtime},
        request::Peer,
        round_observer::RoundObserver,
    },
    wire::protocol::{error::RpcError, id::Id, params::Meta, revision::Revision},
};

/// The observer, which passes each event to [`spans`] and [`meters`].
#[derive(Clone, Copy)]
pub(crate) struct Telemetry;

impl Observed for Runtime {
    type Observer = Telemetry;

    const OBSERVER: Telemetry = Telemetry;
}

impl Observer for Telemetry {
    type Request = AnsweredRequest;
    type Session = SessionMeter;
    type Trace = SpanTrace;

    fn request(
        self,
        peer: &Peer,
        id: &Id<'_>,
        method: &str,
        meta: &Meta<'_>,
        revision: impl FnOnce() -> Option<Revision>,
    ) -> Self::Request {
        request::enter(peer, id, method, meta, revision())
    }

    fn follow<F: Future + Send>(self, future: F) -> impl Future<Output = F::Output> + Send {
        request::follow(future)
    }

    fn tool(self, name: &str) {
        request::tool(name);
    }

    fn session(self, revision: Revision) -> Self::Session {
        request::revision(revision);
        meters::session(revision)
    }

    fn refused(self, error: &RpcError) {
        request::note(ObservedOutcome::Error(error.code));
    }

    fn repeated(self) {
        request::note(ObservedOutcome::Repeated);
    }

    fn trace(self) -> Self::Trace {
        request::with_span(RequestSpan::trace)
    }

    #[cfg(feature = "dev")]
    fn request_id(self) -> Option<Arc<str>> {
        request::current_id()
    }

    #[cfg(feature = "dev")]
    fn ran(self, request: Option<&str>, what: &dyn std::fmt::Display) {
        if let Some(listener) = super::RUN_LISTENER.get() {
            listener(request, what.to_string());
        }
    }

    fn turned_away(self, resource: &'static str) {
        meters::turned_away(resource);
    }

    fn responded(self, method: &str, status: u16) {
        meters::responded(method, status);
    }

    fn answered(self, method: &'static str, answer: Result<&str, &AskError>) {
        meters::answered(method, answer);
    }

    fn built(self) {
        meters::describe_metrics();
    }

    fn times_ledger(self) -> bool {
        meters::TIMES_LEDGER
    }

    fn ledger_operation(self, operation: &LedgerOperation<'_>) {
        meters::ledger_operation(operation);
    }

    fn chat<F: Future + Send>(
        self,
        chat: &ChatRequest<'_>,
        future: F,
        end: impl FnOnce(&F::Output) -> ChatEnd<'_> + Send,
    ) -> impl Future<Output = F::Output> + Send {
        spans::chat(chat, future, end)
    }

    fn chat_retried(self, error_type: &str, delay: Duration) {
        spans::chat_retried(error_type, delay);
    }
}

impl RoundObserver for Telemetry {
    type Call = Box<ObservedCall>;
    type Nested = ObservedNested;

    fn call(self, call: &Arc<CallState>, round: u32) -> Self::Call {
        ObservedCall::new(call, round)
    }

    fn nested(self, call: &Call) -> Self::Nested {
        ObservedNested::new(call)
    }
}
