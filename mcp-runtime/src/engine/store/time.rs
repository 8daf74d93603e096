//! The time of a shared store, and how long the store keeps something.

use std::time::Duration;

use tokio::time::Instant;

use crate::{
    base::{clock::millis, mutex::Mutex},
    engine::{call::ledger_time::LedgerTime, durable::ledger::AGES},
};

/// The default time for which the reply of a finished call is kept.
pub(super) const REPLIES: Duration = Duration::from_secs(5 * 60);

/// The latest time of the store that this handle has read, and the monotonic time of that read.
pub(crate) struct SeenTime(Mutex<(LedgerTime, Instant)>);

impl SeenTime {
    pub(crate) fn new(seen: LedgerTime) -> Self {
        Self(Mutex::new((seen, Instant::now())))
    }

    /// Returns the latest time that was read, plus the monotonic time since then. The store's time is equal or later.
    pub(crate) fn now(&self) -> LedgerTime {
        let (seen, at) = *self.0.lock();
        seen.after(at.elapsed())
    }

    /// Records a time that the store returned, and returns the current time.
    pub(crate) fn see(&self, time: LedgerTime) -> LedgerTime {
        let mut known = self.0.lock();
        let (seen, at) = *known;
        let now = Instant::now();
        let known_anyway = seen.after(now.saturating_duration_since(at));
        if time <= known_anyway {
            // Keep the old base: a new one would lose a part of a millisecond each time.
            return known_anyway;
        }
        *known = (time, now);
        time
    }
}

impl Default for SeenTime {
    /// Creates the time of a store of which nothing was read.
    fn default() -> Self {
        Self::new(LedgerTime::default())
    }
}

/// Returns how long an entry is kept, in milliseconds. Rounds up, so that entries are kept long enough.
pub(super) fn kept_millis(keep: Duration) -> u64 {
    millis(keep.min(AGES) + Duration::from_nanos(999_999))
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn time_never_runs_backwards_or_stands_still() {
        const SECOND: Duration = Duration::from_secs(1);
        let (start, seen) = (LedgerTime(1_800_000_000_000), SeenTime::new(LedgerTime(1_800_000_000_000)));
        advance(SECOND).await;
        assert_eq!(seen.now(), start.after(SECOND));
        assert_eq!(seen.see(start), start.after(SECOND), "an earlier time changes nothing");
        assert_eq!(seen.see(start.after(60 * SECOND)), start.after(60 * SECOND), "a later one counts");
        advance(SECOND / 2).await;
        assert_eq!(seen.now(), start.after(60 * SECOND + SECOND / 2));
    }

    #[tokio::test(start_paused = true)]
    async fn frequent_updates_lose_no_time() {
        let (start, seen) = (LedgerTime(1_800_000_000_000), SeenTime::new(LedgerTime(1_800_000_000_000)));
        for _ in 0..10 {
            advance(Duration::from_micros(500)).await;
            seen.see(start);
        }
        assert_eq!(seen.now(), LedgerTime(start.0 + 5));
    }
}
