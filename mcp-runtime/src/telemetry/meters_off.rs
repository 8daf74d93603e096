//! No measurements: what `meters.rs` is without its feature.

use std::time::{Duration, Instant};

use super::outcome::Outcome;
use crate::{call::request::Peer, protocol::revision::Revision};

pub(super) struct RequestMeter;

pub(super) struct CallMeter(Instant);

pub(super) struct ParkedMeter;

pub(crate) struct SessionMeter;

pub(crate) fn turned_away(_: &'static str) {}

impl RequestMeter {
    pub(super) fn new(_: &Peer, _: &str, _: Option<Revision>) -> Self {
        Self
    }

    pub(super) fn revision(&mut self, _: Revision) {}

    pub(super) fn tool(&mut self, _: &str) {}

    pub(super) fn end(self, _: Outcome) {}
}

impl CallMeter {
    pub(super) fn new(_: &str, _: u32) -> Self {
        Self(Instant::now())
    }

    /// How long it took.
    pub(super) fn end(self, _: Outcome) -> Duration {
        self.0.elapsed()
    }
}

impl ParkedMeter {
    pub(super) fn new() -> Self {
        Self
    }
}

impl SessionMeter {
    pub(crate) fn new(_: Revision) -> Self {
        Self
    }
}
