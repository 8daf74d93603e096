//! The time limit of a call.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use tokio::time;

use crate::edge::testing::script::request::Misfit;

/// The time limit in tokio's time. It is long, because tokio's paused clock jumps ahead while all tasks wait.
const PAUSED: Duration = Duration::from_secs(24 * 60 * 60);

/// A time limit in real time. Under a paused clock, a tool may sleep for longer than this limit.
pub(crate) struct RealTimeLimit {
    allowed: Duration,
    real: Instant,
    shown: time::Instant,
}

impl RealTimeLimit {
    pub(crate) fn start(allowed: Duration) -> Self {
        Self { allowed, real: Instant::now(), shown: time::Instant::now() }
    }

    /// Extends the limit by the time `by`, because the script makes the client wait for this time.
    pub(crate) fn extend(&mut self, by: Duration) {
        self.allowed += by;
    }

    /// Waits for `future`, but stops at the time `until`. Returns `None` if `future` is not ready at that time.
    ///
    /// # Errors
    /// Fails if the limit is exceeded.
    pub(crate) async fn within<T>(
        &self,
        until: Option<time::Instant>,
        future: impl Future<Output = T>,
    ) -> Result<Option<T>, Misfit> {
        let mut future = pin!(future);
        loop {
            let left = self.allowed.saturating_sub(self.real.elapsed()).max(Duration::from_millis(1));
            let end = time::Instant::now() + left;
            let end = until.map_or(end, |until| until.min(end));
            if let Ok(value) = time::timeout_at(end, future.as_mut()).await {
                return Ok(Some(value));
            }
            if until.is_some_and(|until| until <= time::Instant::now()) {
                return Ok(None);
            }
            if self.allowed <= self.real.elapsed() || self.allowed + PAUSED <= self.shown.elapsed() {
                let allowed = self.allowed;
                return Err(format!(
                    "the call did not end within {allowed:?}; to allow more time, use `Client::limit`"
                )
                .into());
            }
        }
    }
}
