//! Nothing: what `spans.rs` is without its feature.

use std::{sync::Arc, time::Duration};

use super::outcome::Outcome;
use crate::{
    call::{CallState, request::Peer},
    protocol::{id::Id, params::Meta, revision::Revision},
};

pub(super) struct RequestSpan;

pub(super) struct CallSpan;

/// Where a span would be left.
pub(crate) struct EnteredSpan;

impl RequestSpan {
    pub(super) fn new(_: &Peer, _: &Id<'_>, _: &str, _: &Meta<'_>, _: Option<Revision>) -> Self {
        Self
    }

    pub(super) fn enter(&self) -> EnteredSpan {
        EnteredSpan
    }

    pub(super) fn revision(&self, _: Revision) {}

    pub(super) fn tool(&self, _: &str) {}

    pub(super) fn end(&self, _: Outcome) {}
}

impl CallSpan {
    pub(super) fn new(_: &Arc<CallState>, _: u32) -> Self {
        Self
    }

    pub(super) fn none() -> Self {
        Self
    }

    pub(super) fn enter(&self) -> EnteredSpan {
        EnteredSpan
    }

    pub(super) fn end(&self, _: Outcome, _: Duration) {}
}
