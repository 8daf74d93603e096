//! The runs of one tool: those that this process runs, and those in the store.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::task::AbortHandle;

use super::{
    MemoryRunStore, RunChanges, RunFilter, RunQuota, RunRecord, RunStatus, RunStore, RunStoreError, Runs,
    changes::RunChangeReceiver, feed::RunFeed, instances::Instances,
};
use crate::{
    base::{clock, mutex::Mutex, random},
    wire::protocol::result::CallToolResult,
};

/// The runs of one tool.
pub(crate) struct RunManager {
    pub(super) settings: Runs,
    store: OnceLock<ChosenStore>,
    pub(super) tool: String,
    /// Identifies this process and this tool among all processes and tools that share the store.
    pub(super) instance: String,
    pub(super) instances: Instances,
    pub(super) live: Mutex<foldhash::HashMap<String, Arc<RunFeed>>>,
    /// The runs that have ended since this process last removed runs.
    ended: Mutex<RunQuota>,
    /// The tasks that end with this manager.
    pub(super) tasks: OnceLock<Vec<AbortHandle>>,
    /// Whether calls wait for the end of a run without a time limit.
    waits_for_end: AtomicBool,
}

/// Where runs are stored. It is chosen by the author, by the first server of the tool, or else by the first use.
struct ChosenStore {
    store: Arc<dyn RunStore>,
    /// Whether the runs are in memory, because they were used before there was a server.
    is_default: bool,
}

/// The background runs of a tool with actions, shown to clients as tasks. Also holds the function that converts an
/// ended run to the result of its task.
#[derive(Clone)]
pub(crate) struct RunsAsTasks {
    pub(crate) manager: Arc<RunManager>,
    pub(crate) result: TaskResultFn,
}

/// The function that returns the result of a run that has ended.
pub(crate) type TaskResultFn = Arc<dyn Fn(&RunRecord) -> CallToolResult + Send + Sync>;

/// Why an open run cannot be changed.
pub(crate) enum ChangeError {
    /// The run has ended.
    Ended(RunStatus),
    /// With the change, the record would take this many bytes, and only the second number is allowed.
    TooLarge(u64, u64),
    Store(RunStoreError),
}

impl RunManager {
    pub(crate) fn new(tool: &str, settings: Runs) -> Self {
        Self {
            store: settings.store.clone().map_or_else(OnceLock::new, |store| ChosenStore::of(store).into()),
            settings,
            tool: tool.to_owned(),
            instance: random::hex(),
            instances: Instances::new(),
            live: Mutex::default(),
            ended: Mutex::default(),
            tasks: OnceLock::new(),
            waits_for_end: AtomicBool::new(false),
        }
    }

    /// Stores the runs in this store, unless another one was chosen for them. Returns `false` if they are in memory
    /// already, because they were used before.
    pub(crate) fn use_store(&self, store: &Arc<dyn RunStore>) -> bool {
        !self.store.get_or_init(|| ChosenStore::of(Arc::clone(store))).is_default
    }

    pub(super) fn store(&self) -> &Arc<dyn RunStore> {
        let default = || ChosenStore { is_default: true, ..ChosenStore::of(Arc::new(MemoryRunStore::new())) };
        &self.store.get_or_init(default).store
    }

    /// Returns the run with this id as it is now, with its trace if `with_trace` is `true`. If another process executes
    /// the run, and it is not known yet whether that process still runs, waits until it is known: at most two heartbeats.
    pub(crate) async fn find(self: &Arc<Self>, id: &str, with_trace: bool) -> Result<Option<RunRecord>, RunStoreError> {
        self.beat();
        // A store does not have to accept every text that a client sends.
        let is_id = id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_id {
            return Ok(None);
        }
        let mut found = self.load_own(id).await?;
        if let Some(record) = found.as_ref().filter(|record| self.is_elsewhere(record))
            && self.wait_for_instance(record).await
        {
            found = self.load_own(id).await?;
        }
        if let Some(record) = &mut found
            && let Some(feed) = self.live_of(record)
        {
            feed.describe(record, with_trace);
        }
        Ok(found)
    }

    /// Returns the record with this id, if it belongs to this tool.
    async fn load_own(&self, id: &str) -> Result<Option<RunRecord>, RunStoreError> {
        Ok(self.store().load(id).await?.filter(|record| record.tool == self.tool))
    }

    /// Returns whether the run is open, and another process executes it.
    fn is_elsewhere(&self, record: &RunRecord) -> bool {
        record.status.is_open() && record.instance != self.instance
    }

    /// Waits until it is known whether the process that executes the run still runs. Returns `false` if this was known
    /// already. Otherwise, the record may have changed.
    async fn wait_for_instance(&self, record: &RunRecord) -> bool {
        // Boxed, because runs are rarely those of another process.
        Box::pin(self.instances.wait_until_known(&record.instance, 2 * self.settings.heartbeat)).await
    }

    /// Returns the runs of this tool that match the filter, newest first. Their statuses are those of now, and their
    /// details are those that are stored.
    pub(crate) async fn list(self: &Arc<Self>, filter: RunFilter) -> Result<Vec<RunRecord>, RunStoreError> {
        self.beat();
        let filter = RunFilter { tool: Some(self.tool.clone()), ..filter };
        let mut found = self.store().list(&filter).await?;
        let mut has_waited = false;
        for record in found.iter().filter(|record| self.is_elsewhere(record)) {
            has_waited |= self.wait_for_instance(record).await;
        }
        if has_waited {
            found = self.store().list(&filter).await?;
        }
        for record in &mut found {
            if let Some(feed) = self.live_of(record) {
                record.status = feed.status();
            }
        }
        Ok(found)
    }

    /// Waits until the run may have changed. For a run of another process, waits until the store reports a change, or
    /// for one heartbeat; or for one second if the store reports no changes.
    pub(crate) fn changed(&self, id: &str) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
        // Begins to watch now, and not at the first poll.
        let (live, stored) = (self.live(id).map(|feed| feed.watch()), self.changes());
        let (id, heartbeat) = (id.to_owned(), self.settings.heartbeat);
        Box::pin(async move {
            match (live, stored) {
                (Some(mut live), _) => drop(live.changed().await),
                (None, Some(mut stored)) => drop(tokio::time::timeout(heartbeat, stored.of(&id)).await),
                (None, None) => tokio::time::sleep(Duration::from_secs(1)).await,
            }
        })
    }

    /// Returns how long a run is kept after its end.
    pub(crate) fn retention(&self) -> Duration {
        self.settings.retention
    }

    /// Makes calls wait for the end of a run, however long it takes.
    pub(crate) fn wait_without_limit(&self) {
        self.waits_for_end.store(true, Ordering::Relaxed);
    }

    /// Returns how long a call waits for the end of a run.
    pub(super) fn wait_limit(&self) -> Duration {
        /// No run takes that long. A larger number would overflow the clock.
        const DECADES: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);
        if self.waits_for_end.load(Ordering::Relaxed) { DECADES } else { self.settings.wait }
    }

    /// Returns the reports of the store that come from now on, if the store has reports.
    pub(super) fn changes(&self) -> Option<RunChangeReceiver> {
        self.store().changes().map(RunChanges::subscribe)
    }

    /// Returns the state of the run, or `None` if this process does not execute the run.
    pub(super) fn live(&self, id: &str) -> Option<Arc<RunFeed>> {
        self.live.lock().get(id).cloned()
    }

    pub(super) fn all_live(&self) -> Vec<(String, Arc<RunFeed>)> {
        self.live.lock().iter().map(|(id, feed)| (id.clone(), Arc::clone(feed))).collect()
    }

    /// Removes ended runs that are too old or exceed the limits.
    pub(super) async fn sweep(&self) {
        let before = clock::now().saturating_sub(clock::millis(self.settings.retention));
        let removed = self.store().remove_ended(&self.tool, before, self.settings.ended).await;
        if let Err(error) = removed {
            crate::base::report::report_limited!("cannot remove runs that have ended: {error}");
        }
    }

    /// Forgets a run that has ended. Removes runs if many runs or bytes were added since this was last done.
    pub(super) async fn forget(&self, record: &RunRecord) {
        self.live.lock().remove(&record.id);
        let is_due = {
            let mut ended = self.ended.lock();
            ended.add(record);
            let is_due = self.settings.ended.is_sixteenth(*ended);
            if is_due {
                *ended = RunQuota::default();
            }
            is_due
        };
        if is_due {
            self.sweep().await;
        }
    }

    /// Returns the state of a run that is stored as open, if this process executes the run. That state is newer than
    /// the record.
    fn live_of(&self, record: &RunRecord) -> Option<Arc<RunFeed>> {
        if record.status.is_open() { self.live(&record.id) } else { None }
    }
}

/// What the command line needs to wait for runs when it ends.
#[cfg(all(feature = "cli", unix))]
impl RunManager {
    /// Returns whether the records of runs outlive this process.
    pub(crate) fn outlives_process(&self) -> bool {
        self.store().outlives_process()
    }

    /// Waits until each run that this process executes now has ended and is stored.
    pub(crate) async fn all_ended(&self) {
        for (_, feed) in self.all_live() {
            feed.settled().await;
        }
    }
}

impl ChosenStore {
    fn of(store: Arc<dyn RunStore>) -> Self {
        Self { store, is_default: false }
    }
}

impl Drop for RunManager {
    fn drop(&mut self) {
        self.tasks.get().into_iter().flatten().for_each(AbortHandle::abort);
    }
}

impl std::fmt::Debug for RunManager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunManager").field("tool", &self.tool).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for RunsAsTasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("RunsAsTasks").field(&self.manager).finish()
    }
}
