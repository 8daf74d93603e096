//! The position of a call in its replay. It identifies each reading of the clock and each random number.
//!
//! In a replay, two branches of a call can run in a different order. So a reading is identified by the last answer or
//! step before it, and by the number of readings since that answer or step.

use serde::{Deserialize, Serialize};

use super::question::fingerprint;

/// The last answer or step of a call, and how often the call has read the clock or a random number since then.
#[derive(Default)]
pub(super) struct ReplayCursor {
    pub(super) last: LastEvent,
    pub(super) moments: u32,
    pub(super) numbers: u32,
    /// The round of the last answer.
    pub(super) round: u32,
}

/// The hash of an answer's or a step's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LastEvent(pub(super) u32);

/// A time that the call has read from the clock, with the position of the reading.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct ReadTime {
    #[serde(rename = "l")]
    pub(super) last: LastEvent,
    #[serde(rename = "n")]
    pub(super) number: u32,
    /// Microseconds since 1970.
    #[serde(rename = "t")]
    pub(super) time: u64,
}

impl ReplayCursor {
    pub(super) fn handoff(&mut self) {
        self.take(["handoff", ""]);
    }

    pub(super) fn answer(&mut self, key: &str, round: u32) {
        self.take(["answer", key]);
        self.round = round;
    }

    pub(super) fn step(&mut self, key: &str) {
        self.take(["step", key]);
    }

    fn take(&mut self, what: [&str; 2]) {
        *self = Self { last: LastEvent(fingerprint(what)), moments: 0, numbers: 0, round: self.round };
    }
}
