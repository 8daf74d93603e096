//! Replaces `spans` or `meters` in a build without their feature. It has the same names, and records nothing.

use std::{sync::Arc, time::Duration};

pub(crate) use self::{
    Unrecorded as CallMeter, Unrecorded as CallSpan, Unrecorded as EnteredSpan, Unrecorded as ParkedMeter,
    Unrecorded as RequestMeter, Unrecorded as RequestSpan, Unrecorded as SessionMeter, Unrecorded as SpanTrace,
};
use super::outcome::ObservedOutcome;
use crate::{
    engine::call::{
        Call, CallState,
        ask_error::AskError,
        observer::{ChatEnd, ChatRequest, LedgerOperation},
        request::Peer,
    },
    wire::protocol::{id::Id, params::Meta, revision::Revision},
};

pub(crate) const TIMES_LEDGER: bool = false;

pub(crate) struct Unrecorded;

impl Unrecorded {
    pub(crate) fn enter(&self) -> Self {
        Self
    }

    pub(crate) fn trace(_: Option<&Self>) -> Self {
        Self
    }

    pub(crate) fn trace_without_span(_: Option<&Self>) -> Self {
        Self
    }

    pub(crate) fn carry(&self, _: Self) {}

    pub(crate) fn revision(&mut self, _: Revision) {}

    pub(crate) fn tool(&mut self, _: &str) {}

    pub(crate) fn end(&mut self, _: ObservedOutcome, _: Duration) {}
}

pub(crate) fn request(_: &Peer, _: &Id<'_>, _: &str, _: &Meta<'_>, _: Option<Revision>) -> Unrecorded {
    Unrecorded
}

pub(crate) fn call(_: &Arc<CallState>, _: u32) -> Unrecorded {
    Unrecorded
}

pub(crate) fn nested(_: &Call, _: u32) -> Unrecorded {
    Unrecorded
}

pub(crate) fn parked() -> Unrecorded {
    Unrecorded
}

pub(crate) fn session(_: Revision) -> Unrecorded {
    Unrecorded
}

pub(crate) fn turned_away(_: &'static str) {}

pub(crate) fn responded(_: &str, _: u16) {}

pub(crate) fn answered(_: &'static str, _: Result<&str, &AskError>) {}

pub(crate) fn describe_metrics() {}

pub(crate) fn ledger_operation(_: &LedgerOperation<'_>) {}

pub(crate) fn chat<F: Future + Send>(
    _: &ChatRequest<'_>,
    future: F,
    _: impl FnOnce(&F::Output) -> ChatEnd<'_> + Send,
) -> impl Future<Output = F::Output> + Send {
    future
}

pub(crate) fn chat_retried(_: &str, _: Duration) {}
