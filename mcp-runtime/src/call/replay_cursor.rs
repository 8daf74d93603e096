//! How far a call has come: what tells one reading of a clock from another when the call is rebuilt.
//!
//! Clocks and random numbers are read again in the order of the code, and two branches of a call may come by in another
//! order than the first time. What each of them took last, an answer or a step, is the same as before; so a reading is
//! known by that, and by its number since.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::{
    clock::since_1970,
    journal::{Journal, fingerprint},
};
use crate::{call::mac, random};

/// What a call took last, and what it has read since.
#[derive(Default)]
pub(super) struct Reached {
    last: Last,
    moments: u32,
    numbers: u32,
    /// The round in which the last answer came.
    pub(super) round: u32,
}

/// A short name of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Last(u32);

/// The time as it was read.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Moment {
    #[serde(rename = "l")]
    last: Last,
    #[serde(rename = "n")]
    number: u32,
    /// Microseconds since 1970.
    #[serde(rename = "t")]
    time: u64,
}

impl Reached {
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
        *self = Self { last: Last(fingerprint(what)), moments: 0, numbers: 0, round: self.round };
    }
}

impl Journal {
    /// The time, as it was at this place before.
    pub(super) fn moment(&mut self, reached: &mut Reached, keep: bool) -> SystemTime {
        let (last, number) = (reached.last, reached.moments);
        reached.moments += 1;
        let known = self.moments.iter().find(|moment| moment.last == last && moment.number == number);
        let time = known.map_or_else(now, |moment| moment.time);
        if known.is_none() && keep {
            self.moments.push(Moment { last, number, time });
        }
        SystemTime::UNIX_EPOCH + Duration::from_micros(time)
    }

    /// A random number, as it was at this place before.
    pub(super) fn number(&mut self, reached: &mut Reached) -> u64 {
        let seed = *self.seed.get_or_insert_with(|| [(); 2].map(|()| u64::from_be_bytes(random::bytes())));
        let place = u64::from(reached.last.0) << 32 | u64::from(reached.numbers);
        reached.numbers += 1;
        let code = mac::code(seed.map(u64::to_be_bytes).as_flattened(), &[&place.to_be_bytes()]);
        code[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

/// Whole microseconds, so that it comes back as it was given.
fn now() -> u64 {
    u64::try_from(since_1970().as_micros()).unwrap_or(u64::MAX)
}
