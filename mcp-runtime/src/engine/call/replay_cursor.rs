//! The position of a call in its replay. It identifies each reading of the clock and each random number.
//!
//! In a replay, two branches of a call can run in a different order. So a reading is identified by the last answer or
//! step before it, and by the number of readings since that answer or step.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::journal::{Journal, fingerprint};
use crate::base::clock::since_1970;
use crate::base::{mac, random};

/// The last answer or step of a call, and how often the call has read the clock or a random number since then.
#[derive(Default)]
pub(super) struct ReplayCursor {
    last: LastEvent,
    moments: u32,
    numbers: u32,
    /// The round of the last answer.
    pub(super) round: u32,
}

/// The hash of an answer's or a step's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct LastEvent(u32);

/// A time that the call has read from the clock, with the position of the reading.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct ReadTime {
    #[serde(rename = "l")]
    last: LastEvent,
    #[serde(rename = "n")]
    number: u32,
    /// Microseconds since 1970.
    #[serde(rename = "t")]
    time: u64,
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

impl Journal {
    /// Returns the time that is recorded for the position `reached`. If no time is recorded, returns the current time,
    /// and records this time if `keep` is set.
    pub(super) fn moment(&mut self, reached: &mut ReplayCursor, keep: bool) -> SystemTime {
        let (last, number) = (reached.last, reached.moments);
        reached.moments += 1;
        let known = self.moments.iter().find(|moment| moment.last == last && moment.number == number);
        let time = known.map_or_else(now, |moment| moment.time);
        if known.is_none() && keep {
            self.moments.push(ReadTime { last, number, time });
        }
        SystemTime::UNIX_EPOCH + Duration::from_micros(time)
    }

    /// Returns the random number for this position. The number is computed from the seed and the position.
    pub(super) fn number(&mut self, reached: &mut ReplayCursor) -> u64 {
        let seed = *self.seed.get_or_insert_with(|| [(); 2].map(|()| u64::from_be_bytes(random::bytes())));
        let place = u64::from(reached.last.0) << 32 | u64::from(reached.numbers);
        reached.numbers += 1;
        let code = mac::code(seed.map(u64::to_be_bytes).as_flattened(), &[&place.to_be_bytes()]);
        code[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

/// Returns the current time in microseconds, the unit in which readings are recorded.
fn now() -> u64 {
    u64::try_from(since_1970().as_micros()).unwrap_or(u64::MAX)
}
