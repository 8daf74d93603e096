//! The time of a store that several processes share, as one of them knows it.

use tokio::time::Instant;

use crate::{call::ledger_time::LedgerTime, mutex::Mutex};

/// What one handle on a store knows of its time: the latest it has seen, and how long ago that was.
pub(crate) struct SeenTime(Mutex<(LedgerTime, Instant)>);

impl SeenTime {
    pub(crate) fn new(seen: LedgerTime) -> Self {
        Self(Mutex::new((seen, Instant::now())))
    }

    /// At least so late it is: what was seen, and monotonic time since.
    pub(crate) fn now(&self) -> LedgerTime {
        let (seen, at) = *self.0.lock();
        seen.after(at.elapsed())
    }

    /// What it is now, where this has been seen just now.
    pub(crate) fn see(&self, time: LedgerTime) -> LedgerTime {
        let mut known = self.0.lock();
        let (seen, at) = *known;
        let now = Instant::now();
        let known_anyway = seen.after(now.saturating_duration_since(at));
        if time <= known_anyway {
            // Counted on from where it was: a part of a millisecond would be lost each time.
            return known_anyway;
        }
        *known = (time, now);
        time
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_was_seen_never_runs_backwards_and_never_stands_still() {
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
    async fn however_often_it_is_seen_no_time_is_lost() {
        let (start, seen) = (LedgerTime(1_800_000_000_000), SeenTime::new(LedgerTime(1_800_000_000_000)));
        for _ in 0..10 {
            advance(Duration::from_micros(500)).await;
            seen.see(start);
        }
        assert_eq!(seen.now(), LedgerTime(start.0 + 5));
    }
}
