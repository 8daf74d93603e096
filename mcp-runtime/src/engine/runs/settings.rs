//! The settings of runs.

use std::{sync::Arc, time::Duration};

use super::{RunLimits, RunQuota, RunStore};

const MIB: u64 = 1024 * 1024;

/// The settings of the runs of a tool, such as their limits. Set them with
/// [`Actions::runs`](crate::actions::Actions::runs), and those of tasks with [`Server::tasks`](crate::Server::tasks).
///
/// ```
/// use std::time::Duration;
///
/// use mcp_runtime::runs::Runs;
///
/// let runs = Runs::default().limit(10).wait(Duration::from_secs(20));
/// # let _ = runs;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Runs {
    /// `None` if the runs are stored in the store of the server.
    pub(super) store: Option<Arc<dyn RunStore>>,
    pub(super) heartbeat: Duration,
    pub(super) retention: Duration,
    pub(super) open: RunLimits,
    pub(super) ended: RunLimits,
    pub(super) wait: Duration,
}

impl Runs {
    /// Creates settings with the default limits, for runs that are not stored in the
    /// [store of the server](crate::Server::store) but in this one.
    pub fn new(store: impl RunStore) -> Self {
        Self { store: Some(Arc::new(store)), ..Self::default() }
    }

    /// Sets the heartbeat interval, at least 10 milliseconds. Default: 5 seconds. Twice in each interval, a server
    /// process shows the other processes that it still runs. If a process shows no sign of life for two intervals, the
    /// other processes mark its runs as interrupted.
    pub fn heartbeat(mut self, heartbeat: Duration) -> Self {
        self.heartbeat = heartbeat.max(Duration::from_millis(10));
        self
    }

    /// Sets how long a run is kept after its end. Default: 24 hours. It is removed earlier if the
    /// [limits](Self::ended_limits) require it.
    pub fn retention(mut self, retention: Duration) -> Self {
        self.retention = retention;
        self
    }

    /// Sets how many runs of one owner are kept after their end. Default: 1,000. The owner's older runs are removed. If
    /// the limit for all owners is lower, it is raised to this number.
    pub fn history(mut self, runs: usize) -> Self {
        self.ended.per_owner.runs = runs;
        self.ended.total.runs = self.ended.total.runs.max(runs);
        self
    }

    /// Sets how many open runs an owner can have at a time. Default: 100. If the limit for all owners is lower, it is
    /// raised to this number.
    pub fn limit(mut self, runs: usize) -> Self {
        self.open.per_owner.runs = runs;
        self.open.total.runs = self.open.total.runs.max(runs);
        self
    }

    /// Sets all limits for the open runs of the tool. A run that would exceed a limit is refused with an error that says
    /// what to do. Open runs are never removed.
    ///
    /// | limit | default |
    /// | --- | --- |
    /// | for one owner | 100 runs, 16 MiB (16,777,216 bytes) |
    /// | for all owners | 1,000 runs, 64 MiB |
    ///
    /// An owner is a principal. All clients without a principal are one owner. The bytes of an open run are those of its
    /// record and of its arguments. They grow while the run writes log messages (by at most 128 KiB) and asks questions.
    /// Only the beginning of a run is refused: what a run adds later counts against the next runs.
    pub fn open_limits(mut self, limits: RunLimits) -> Self {
        self.open = limits;
        self
    }

    /// Sets all limits for the runs of the tool that have ended.
    ///
    /// | limit | default |
    /// | --- | --- |
    /// | for one owner | 1,000 runs, 16 MiB (16,777,216 bytes) |
    /// | for all owners | 10,000 runs, 64 MiB |
    ///
    /// An owner that exceeds its limit loses its own oldest runs. If the limit for all owners is exceeded, the owner that
    /// has most loses its oldest run, until the rest fits. Each server process may exceed a limit by a sixteenth before
    /// it removes runs.
    ///
    /// A run whose result is larger than the bytes of one owner cannot be kept. It ends with an error that says so.
    pub fn ended_limits(mut self, limits: RunLimits) -> Self {
        self.ended = limits;
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
    /// Creates settings with the default limits. The runs are stored in the [store of the server](crate::Server::store).
    fn default() -> Self {
        Self {
            store: None,
            heartbeat: Duration::from_secs(5),
            retention: Duration::from_secs(24 * 60 * 60),
            open: RunLimits {
                per_owner: RunQuota { runs: 100, bytes: 16 * MIB },
                total: RunQuota { runs: 1000, bytes: 64 * MIB },
            },
            ended: RunLimits {
                per_owner: RunQuota { runs: 1000, bytes: 16 * MIB },
                total: RunQuota { runs: 10_000, bytes: 64 * MIB },
            },
            wait: Duration::from_secs(45),
        }
    }
}

impl std::fmt::Debug for Runs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { heartbeat, retention, open, ended, wait, .. } = self;
        f.debug_struct("Runs")
            .field("heartbeat", heartbeat)
            .field("retention", retention)
            .field("open", open)
            .field("ended", ended)
            .field("wait", wait)
            .finish_non_exhaustive()
    }
}
