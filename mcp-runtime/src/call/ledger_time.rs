//! The time of a ledger: the one clock by which calls are judged.

use std::time::Duration;

use crate::call::clock;

/// A moment by the clock of a [`Ledger`](crate::Ledger), in milliseconds.
///
/// That clock is about the wall clock, in milliseconds since 1970; but it never runs backwards and never stands still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LedgerTime(pub u64);

impl LedgerTime {
    /// So much later.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use mcp_runtime::LedgerTime;
    ///
    /// assert_eq!(LedgerTime(1500).after(Duration::from_secs(1)), LedgerTime(2500));
    /// ```
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(clock::millis(duration)))
    }

    /// What the wall clock of this machine shows.
    pub(crate) fn of_wall_clock() -> Self {
        Self(clock::now())
    }

    /// How much earlier the other one is; nothing if it is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}
