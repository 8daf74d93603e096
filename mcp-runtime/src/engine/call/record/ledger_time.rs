//! The time of a ledger. Deadlines of calls are points in this time.

use std::time::Duration;

use crate::base::clock;

/// A point in time on the clock of a [`Ledger`](crate::store::Ledger), in milliseconds.
///
/// The ledger's clock is close to the wall clock, in milliseconds since 1970, but it never runs backwards or stands
/// still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LedgerTime(pub u64);

impl LedgerTime {
    /// Returns the time that is later by this duration.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use mcp_runtime::store::LedgerTime;
    ///
    /// assert_eq!(LedgerTime(1500).after(Duration::from_secs(1)), LedgerTime(2500));
    /// ```
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(clock::millis(duration)))
    }

    /// Returns the time of this machine's wall clock.
    pub(crate) fn of_wall_clock() -> Self {
        Self(clock::now())
    }

    /// Returns the time elapsed since `earlier`; zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}
