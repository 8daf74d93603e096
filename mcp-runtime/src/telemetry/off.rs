//! Nothing, at no cost: what stands here without the features `tracing` and `metrics`.

use std::sync::Arc;

use crate::{
    call::{CallState, request::Peer},
    protocol::{error::RpcError, id::Id, params::Meta, result::CallToolResult, revision::Revision},
};

pub(crate) struct CallWatch;

pub(crate) struct SessionMeter;

pub(crate) struct Deferred;

/// Where something would be left.
pub(crate) struct Entered;

pub(crate) fn request(_: &Peer, _: &Id<'_>, _: &str, _: &Meta<'_>, _: impl FnOnce() -> Option<Revision>) -> Entered {
    Entered
}

pub(crate) fn defer() -> Deferred {
    Deferred
}

pub(crate) fn tool(_: &str) {}

pub(crate) fn negotiated(_: Revision) {}

pub(crate) fn refused(_: &RpcError) {}

pub(crate) fn repeated() {}

pub(crate) fn turned_away(_: &'static str) {}

impl Deferred {
    pub(crate) fn follow<F: Future>(self, future: F) -> F {
        future
    }
}

impl SessionMeter {
    pub(crate) fn new(_: Revision) -> Self {
        Self
    }
}

impl CallWatch {
    pub(crate) fn new(_: &Arc<CallState>, _: u32) -> Self {
        Self
    }

    pub(crate) fn enter(&self) -> Entered {
        Entered
    }

    pub(crate) fn done(&mut self, _: &Result<CallToolResult, RpcError>) {}

    pub(crate) fn panicked(&mut self) {}

    pub(crate) fn timed_out(&mut self) {}

    pub(crate) fn cancelled(&mut self) {}

    pub(crate) fn not_begun(&mut self) {}

    pub(crate) fn asked(&mut self) {}
}
