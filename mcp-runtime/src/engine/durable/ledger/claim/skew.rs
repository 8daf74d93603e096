//! The skew between a machine's wall clock and the time of its ledger.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use crate::{base::report::report, engine::call::ledger_time::LedgerTime};

/// The largest skew that is not reported.
const ALLOWED: Duration = Duration::from_secs(5 * 60);
/// The minimum time between two checks.
const PAUSE: Duration = Duration::from_secs(60);

/// Compares the wall clock of this machine with the ledger's time. If the difference is too large, returns a text that
/// says so. The wall clock of this machine is wrong, or another instance has or had a wrong wall clock.
pub(super) fn skew(ledger: LedgerTime) -> Option<String> {
    skew_between(LedgerTime::of_wall_clock(), ledger)
}

fn skew_between(wall: LedgerTime, ledger: LedgerTime) -> Option<String> {
    let by = Duration::from_millis(wall.0.abs_diff(ledger.0));
    let direction = if ledger < wall { "ahead of" } else { "behind" };
    (by > ALLOWED)
        .then(|| format!("the wall clock of this machine is {} s {direction} the time of its ledger", by.as_secs()))
}

/// The ledger's time when the skew was last checked.
#[derive(Default)]
pub(super) struct SkewCheck(AtomicU64);

impl SkewCheck {
    /// If the skew is too large, reports it to the operator, at most once a minute.
    pub(super) fn look(&self, now: LedgerTime) {
        if self.is_due(now)
            && let Some(skew) = skew(now)
        {
            report!("{skew}: calls use the ledger's time; correct the clock");
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
        let skew = |wall, ledger| skew_between(LedgerTime(wall), LedgerTime(ledger));
        assert_eq!(skew(1_300_000, 1_000_000), None);
        assert_eq!(skew(1_000_000, 1_300_000), None);
        let words = |by| Some(format!("the wall clock of this machine is {by} the time of its ledger"));
        assert_eq!(skew(1_600_000, 1_000_000), words("600 s ahead of"));
        assert_eq!(skew(1_000_000, 1_300_001), words("300 s behind"));
    }
}
