//! How far the wall clock of a machine is from the time of its ledger.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use crate::call::ledger_time::LedgerTime;

/// Clocks may differ by so much without a word.
const ALLOWED: Duration = Duration::from_secs(5 * 60);
/// Once in this time it is looked at, and said.
const PAUSE: Duration = Duration::from_secs(60);

/// The wall clock here is wrong, or that of another instance is or was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skew {
    by: Duration,
    is_ahead: bool,
}

impl Skew {
    /// Whether the wall clock is further from this than it may be.
    pub(crate) fn from(ledger: LedgerTime) -> Option<Self> {
        Self::between(LedgerTime::of_wall_clock(), ledger)
    }

    fn between(wall: LedgerTime, ledger: LedgerTime) -> Option<Self> {
        let by = Duration::from_millis(wall.0.abs_diff(ledger.0));
        (by > ALLOWED).then_some(Self { by, is_ahead: ledger < wall })
    }
}

impl fmt::Display for Skew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.is_ahead { "ahead of" } else { "behind" };
        write!(f, "the wall clock of this machine is {} s {direction} the time of its ledger", self.by.as_secs())
    }
}

/// When it was looked at last, in the time of the ledger.
#[derive(Default)]
pub(super) struct Watch(AtomicU64);

impl Watch {
    /// Tells the operator, once a minute.
    pub(super) fn look(&self, now: LedgerTime) {
        if self.is_due(now)
            && let Some(skew) = Skew::from(now)
        {
            crate::report::report!("{skew}: calls go on by the ledger's time; set the clocks right");
        }
    }

    /// Most often it is not, and that costs next to nothing.
    fn is_due(&self, now: LedgerTime) -> bool {
        let is_due = PAUSE <= now.since(LedgerTime(self.0.load(Ordering::Relaxed)));
        if is_due {
            self.0.store(now.0, Ordering::Relaxed);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_looked_at_once_a_minute() {
        let (watch, start) = (Watch::default(), LedgerTime(1_800_000_000_000));
        let is_due = |seconds| watch.is_due(start.after(Duration::from_secs(seconds)));
        assert_eq!([0, 1, 59, 60, 61, 119, 120].map(is_due), [true, false, false, true, false, false, true]);
    }

    #[test]
    fn five_minutes_are_allowed_either_way() {
        let skew = |wall, ledger| Skew::between(LedgerTime(wall), LedgerTime(ledger)).map(|skew| skew.to_string());
        assert_eq!(skew(1_300_000, 1_000_000), None);
        assert_eq!(skew(1_000_000, 1_300_000), None);
        let words = |by| Some(format!("the wall clock of this machine is {by} the time of its ledger"));
        assert_eq!(skew(1_600_000, 1_000_000), words("600 s ahead of"));
        assert_eq!(skew(1_000_000, 1_300_001), words("300 s behind"));
    }
}
