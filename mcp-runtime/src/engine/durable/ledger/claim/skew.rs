//! The skew between a machine's wall clock and the time of its ledger.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use crate::engine::call::ledger_time::LedgerTime;

/// The largest skew that is not reported.
const ALLOWED: Duration = Duration::from_secs(5 * 60);
/// The minimum time between two checks.
const PAUSE: Duration = Duration::from_secs(60);

/// A skew that is too large: the difference between this machine's wall clock and the ledger's time. The wall clock of
/// this machine is wrong, or another instance has or had a wrong wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skew {
    by: Duration,
    is_ahead: bool,
}

impl Skew {
    /// Compares the wall clock with the ledger's time. Returns `None` if the difference is small enough.
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

/// The ledger's time when the skew was last checked.
#[derive(Default)]
pub(super) struct SkewCheck(AtomicU64);

impl SkewCheck {
    /// If the skew is too large, reports it to the operator, at most once a minute.
    pub(super) fn look(&self, now: LedgerTime) {
        if self.is_due(now)
            && let Some(skew) = Skew::from(now)
        {
            crate::base::report::report!("{skew}: calls use the ledger's time; correct the clock");
        }
    }

    /// Returns whether the next check is due. This must be cheap, because it runs with every claim.
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
    fn check_is_due_once_a_minute() {
        let (watch, start) = (SkewCheck::default(), LedgerTime(1_800_000_000_000));
        let is_due = |seconds| watch.is_due(start.after(Duration::from_secs(seconds)));
        assert_eq!([0, 1, 59, 60, 61, 119, 120].map(is_due), [true, false, false, true, false, false, true]);
    }

    #[test]
    fn allows_five_minutes_of_skew() {
        let skew = |wall, ledger| Skew::between(LedgerTime(wall), LedgerTime(ledger)).map(|skew| skew.to_string());
        assert_eq!(skew(1_300_000, 1_000_000), None);
        assert_eq!(skew(1_000_000, 1_300_000), None);
        let words = |by| Some(format!("the wall clock of this machine is {by} the time of its ledger"));
        assert_eq!(skew(1_600_000, 1_000_000), words("600 s ahead of"));
        assert_eq!(skew(1_000_000, 1_300_001), words("300 s behind"));
    }
}
