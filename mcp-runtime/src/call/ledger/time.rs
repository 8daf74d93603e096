//! The time of a ledger: the one clock by which calls are judged.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::call::clock;

/// A moment by the clock of a [`Ledger`](super::Ledger), in milliseconds.
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

/// What one handle on a store knows of its time: the latest it has seen, and how long ago that was.
#[cfg_attr(not(any(test, feature = "redis", feature = "sqlite")), expect(dead_code, reason = "for shared stores"))]
pub(crate) struct SeenTime(Mutex<(LedgerTime, Instant)>);

#[cfg_attr(not(any(test, feature = "redis", feature = "sqlite")), expect(dead_code, reason = "for shared stores"))]
impl SeenTime {
    pub(crate) fn new(seen: LedgerTime) -> Self {
        Self(Mutex::new((seen, Instant::now())))
    }

    /// At least so late it is: what was seen, and monotonic time since.
    pub(crate) fn now(&self) -> LedgerTime {
        let (seen, at) = *self.lock();
        seen.after(at.elapsed())
    }

    /// What it is now, where this has been seen just now.
    pub(crate) fn see(&self, time: LedgerTime) -> LedgerTime {
        let mut known = self.lock();
        let (seen, at) = *known;
        let now = Instant::now();
        let time = time.max(seen.after(now.saturating_duration_since(at)));
        *known = (time, now);
        time
    }

    fn lock(&self) -> MutexGuard<'_, (LedgerTime, Instant)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
