//! The settings of runs.

use std::{sync::Arc, time::Duration};

use super::{MemoryRunStore, RunStore};

/// The settings of the runs of a tool: where they are stored, and their limits. Set them with
/// [`Actions::runs`](crate::actions::Actions::runs).
///
/// ```
/// use std::time::Duration;
///
/// use mcp_runtime::runs::{MemoryRunStore, Runs};
///
/// let runs = Runs::new(MemoryRunStore::new()).limit(10).wait(Duration::from_secs(20));
/// # let _ = runs;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Runs {
    pub(super) store: Arc<dyn RunStore>,
    pub(super) heartbeat: Duration,
    pub(super) retention: Duration,
    pub(super) history: usize,
    pub(super) limit: usize,
    pub(super) wait: Duration,
}

impl Runs {
    /// Creates settings with this store and the default limits.
    pub fn new(store: impl RunStore) -> Self {
        Self {
            store: Arc::new(store),
            heartbeat: Duration::from_secs(5),
            retention: Duration::from_secs(24 * 60 * 60),
            history: 10_000,
            limit: 100,
            wait: Duration::from_secs(45),
        }
    }

    /// Sets the heartbeat interval, at least 10 milliseconds. Default: 5 seconds. Twice in each interval, a server
    /// process shows the other processes that it still runs. If a process shows no sign of life for two intervals, the
    /// other processes mark its runs as interrupted.
    pub fn heartbeat(mut self, heartbeat: Duration) -> Self {
        self.heartbeat = heartbeat.max(Duration::from_millis(10));
        self
    }

    /// Sets how long a run is kept after its end. Default: 24 hours.
    pub fn retention(mut self, retention: Duration) -> Self {
        self.retention = retention;
        self
    }

    /// Sets how many runs are kept after their end. Older runs are removed. Default: 10,000.
    pub fn history(mut self, runs: usize) -> Self {
        self.history = runs;
        self
    }

    /// Sets how many open runs an owner can have at a time. Default: 100. All clients without a principal are one
    /// owner.
    pub fn limit(mut self, runs: usize) -> Self {
        self.limit = runs;
        self
    }

    /// Sets how long a call with the argument `wait` waits for the end of its run. Default: 45 seconds, because many
    /// clients give up after a minute. The time begins again when the run gets an answer from the user.
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }
}

impl Default for Runs {
    /// Creates settings with a [`MemoryRunStore`].
    fn default() -> Self {
        Self::new(MemoryRunStore::new())
    }
}

impl std::fmt::Debug for Runs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { heartbeat, retention, history, limit, wait, .. } = self;
        f.debug_struct("Runs")
            .field("heartbeat", heartbeat)
            .field("retention", retention)
            .field("history", history)
            .field("limit", limit)
            .field("wait", wait)
            .finish_non_exhaustive()
    }
}
