//! The observer of a program with the feature `tracing`, `metrics` or both.

mod call;
pub(super) mod outcome;
pub(super) mod request;
pub(super) mod signal;

use std::{sync::Arc, time::Duration};

use self::{
    call::ObservedCall,
    outcome::ObservedOutcome,
    request::Entered,
    signal::{Meters, Signal, Spans},
};
use crate::{
    engine::call::{
        CallState,
        ask_error::AskError,
        observer::Runtime,
        observer::{ChatEnd, ChatRequest, LedgerOperation, Observed, Observer},
        request::Peer,
        round_observer::RoundObserver,
    },
    wire::protocol::{error::RpcError, id::Id, params::Meta, revision::Revision},
};

/// The observer, which passes each event to the signals: [`Spans`] and [`Meters`].
#[derive(Clone, Copy)]
pub(crate) struct Telemetry;

impl Observed for Runtime {
    type Observer = Telemetry;

    const OBSERVER: Telemetry = Telemetry;
}

impl Observer for Telemetry {
    type Request = Entered;
    type Session = <Meters as Signal>::Session;
    type Trace = <Spans as Signal>::Trace;

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
        Meters::session(revision)
    }

    fn refused(self, error: &RpcError) {
        request::note(ObservedOutcome::Error(error.code));
    }

    fn repeated(self) {
        request::note(ObservedOutcome::Repeated);
    }

    fn trace(self) -> Self::Trace {
        request::with_span(Spans::trace)
    }

    fn turned_away(self, resource: &'static str) {
        Meters::turned_away(resource);
    }

    fn responded(self, method: &str, status: u16) {
        Meters::responded(method, status);
    }

    fn answered(self, method: &'static str, answer: Result<&str, &AskError>) {
        Meters::answered(method, answer);
    }

    fn built(self) {
        Meters::describe();
    }

    fn times_ledger(self) -> bool {
        Meters::TIMES_LEDGER
    }

    fn ledger_operation(self, operation: &LedgerOperation<'_>) {
        Meters::ledger_operation(operation);
    }

    fn chat<F: Future + Send>(
        self,
        chat: &ChatRequest<'_>,
        future: F,
        end: impl FnOnce(&F::Output) -> ChatEnd<'_> + Send,
    ) -> impl Future<Output = F::Output> + Send {
        Spans::chat(chat, future, end)
    }

    fn chat_retried(self, error_type: &str, delay: Duration) {
        Spans::chat_retried(error_type, delay);
    }
}

impl RoundObserver for Telemetry {
    type Call = ObservedCall;

    fn call(self, call: &Arc<CallState>, round: u32) -> Self::Call {
        ObservedCall::new(call, round)
    }
}
