//! How long a process that crashes is left alone before it is started again.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(500);

const LONGEST: Duration = Duration::from_secs(30);

/// A process that has run for this long was not broken from its start.
const HEALTHY: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(super) struct Backoff {
    /// How often the process has crashed in a row.
    crashes: u32,
}

impl Backoff {
    /// Returns the pause after a crash of a process that has run for this time.
    pub(super) fn pause_after(&mut self, ran: Duration) -> Duration {
        if ran >= HEALTHY {
            self.reset();
        }
        let pause = FIRST.saturating_mul(2_u32.saturating_pow(self.crashes)).min(LONGEST);
        self.crashes = self.crashes.saturating_add(1);
        pause
    }

    /// Forgets the crashes, because the program is another one now.
    pub(super) fn reset(&mut self) {
        self.crashes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let mut backoff = Backoff::default();
        let pauses: Vec<_> = (0..9).map(|_| backoff.pause_after(Duration::ZERO).as_secs_f64()).collect();
        assert_eq!(pauses, [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]);
        assert_eq!((0..100).map(|_| backoff.pause_after(Duration::ZERO)).max(), Some(LONGEST));
    }

    #[test]
    fn a_process_that_has_run_for_a_while_begins_anew() {
        let mut backoff = Backoff::default();
        for _ in 0..5 {
            backoff.pause_after(HEALTHY / 2);
        }
        assert_eq!(backoff.pause_after(HEALTHY), FIRST);
        assert_eq!(backoff.pause_after(Duration::ZERO), 2 * FIRST);
        backoff.reset();
        assert_eq!(backoff.pause_after(Duration::ZERO), FIRST);
    }
}
