//! The runs of one tool: those that this process runs, and those in the store.

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde_json::{Map, Value};
use tokio::task::AbortHandle;

use super::{
    RunFilter, RunRecord, RunStatus, RunStoreError, Runs,
    background::{CleanFn, background_call},
    details::RunDetails,
    feed::{RunEnd, RunFeed},
    heartbeat,
    keeper::Keeper,
    live::drive,
};
use crate::{
    call::{
        Call, clock,
        conversation::AnswerText,
        observer::{Observer as _, observer},
        running::{CallOutcome, Calling, Running},
    },
    mutex::Mutex,
    random,
};

/// The number of ended runs after which old runs are removed.
const ENDED_PER_SWEEP: usize = 64;

/// The runs of one tool.
pub(crate) struct RunManager {
    pub(super) settings: Runs,
    pub(super) tool: String,
    /// Identifies this process and this tool among all processes and tools that share the store.
    pub(super) instance: String,
    live: Mutex<HashMap<String, Arc<RunFeed>>>,
    ended: AtomicUsize,
    heartbeat: OnceLock<AbortHandle>,
}

/// The entry of a run in the table of live runs. It is removed again if the call that begins the run is dropped.
struct LiveEntry<'a> {
    manager: &'a RunManager,
    id: &'a str,
    is_kept: bool,
}

impl<'a> LiveEntry<'a> {
    fn new(manager: &'a RunManager, id: &'a str, feed: &Arc<RunFeed>) -> Self {
        manager.live.lock().insert(id.to_owned(), Arc::clone(feed));
        Self { manager, id, is_kept: false }
    }

    fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for LiveEntry<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            self.manager.live.lock().remove(self.id);
        }
    }
}

/// A run that begins.
pub(crate) struct NewRun<'a> {
    pub(crate) action: &'a str,
    pub(crate) inputs: Map<String, Value>,
    pub(crate) resolved_inputs: Value,
    pub(crate) restarted_from: Option<String>,
    pub(crate) clean: CleanFn,
    /// Converts the outcome of the run's call to the end of the run.
    pub(crate) end: EndFn,
}

pub(crate) type EndFn = Box<dyn FnOnce(CallOutcome) -> RunEnd + Send>;

/// A run that has begun. It can have ended already.
pub(crate) struct BegunRun {
    pub(crate) id: String,
    pub(super) feed: Arc<RunFeed>,
}

/// Why a run cannot begin.
pub(crate) enum BeginError<E> {
    /// The action cannot be called.
    Call(E),
    /// The owner has as many open runs as the limit allows.
    Limit(usize),
    Store(RunStoreError),
}

/// Why an open run cannot be changed.
pub(crate) enum ChangeError {
    /// The run has ended.
    Ended(RunStatus),
    Store(RunStoreError),
}

impl RunManager {
    pub(crate) fn new(tool: &str, settings: Runs) -> Self {
        Self {
            settings,
            tool: tool.to_owned(),
            instance: random::hex(),
            live: Mutex::default(),
            ended: AtomicUsize::new(0),
            heartbeat: OnceLock::new(),
        }
    }

    /// Begins a run for the owner of the call `caller`. `start` creates the future of the run.
    pub(crate) async fn begin<E>(
        self: &Arc<Self>,
        caller: &Call,
        new: NewRun<'_>,
        start: impl FnOnce(Call) -> Result<Calling, E>,
    ) -> Result<BegunRun, BeginError<E>> {
        self.beat();
        let NewRun { action, inputs, resolved_inputs, restarted_from, clean, end } = new;
        let feed = Arc::new(RunFeed::new());
        let call = background_call(caller, &feed, clean);
        let state = Arc::clone(&call.0);
        let calling = start(call).map_err(BeginError::Call)?;
        let owner = caller.0.owner();
        let mut record = RunRecord::new(&self.tool, action, owner.as_deref(), &self.instance, clock::now());
        let mut details = RunDetails { inputs, resolved_inputs, restarted_from, ..RunDetails::default() };
        feed.describe(&mut details);
        record.details = serde_json::to_value(&details).unwrap_or_default();
        let (id, limit) = (record.id.clone(), self.settings.limit);
        // Added before the run is stored, because a stored run of this process that is not live counts as interrupted.
        let live = LiveEntry::new(self, &id, &feed);
        if !self.settings.store.insert(&record, limit).await.map_err(BeginError::Store)? {
            return Err(BeginError::Limit(limit));
        }
        live.keep();
        let watch = observer().call(&state, 0);
        let running = Running::new(calling, None, state, Vec::new(), watch).without_timeout();
        tokio::spawn(drive(Arc::clone(&feed), running, end));
        let (store, heartbeat) = (Arc::clone(&self.settings.store), self.settings.heartbeat);
        let keeper = Keeper { feed: Arc::clone(&feed), store, record, details, heartbeat };
        let (manager, ended) = (Arc::clone(self), id.clone());
        tokio::spawn(async move {
            keeper.keep().await;
            manager.forget(&ended).await;
        });
        Ok(BegunRun { id, feed })
    }

    /// Returns the run with this id as it is now.
    pub(crate) async fn find(self: &Arc<Self>, id: &str) -> Result<Option<(RunRecord, RunDetails)>, RunStoreError> {
        self.beat();
        // A store does not have to accept every text that a client sends.
        let is_id = id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let Some(record) = (if is_id { self.settings.store.load(id).await? } else { None }) else { return Ok(None) };
        Ok(Some(self.current(record)).filter(|(record, _)| record.tool == self.tool))
    }

    /// Returns the run with this id as it is stored.
    pub(super) async fn load(&self, id: &str) -> Result<Option<(RunRecord, RunDetails)>, RunStoreError> {
        Ok(self.settings.store.load(id).await?.map(|record| {
            let details = read(&record);
            (record, details)
        }))
    }

    /// Returns the runs of this tool that match the filter, newest first.
    pub(crate) async fn list(
        self: &Arc<Self>,
        filter: RunFilter,
    ) -> Result<Vec<(RunRecord, RunDetails)>, RunStoreError> {
        self.beat();
        let filter = RunFilter { tool: Some(self.tool.clone()), ..filter };
        let found = self.settings.store.list(&filter).await?;
        Ok(found.into_iter().map(|record| self.current(record)).collect())
    }

    /// Cancels a run.
    pub(crate) async fn cancel(self: &Arc<Self>, id: &str) -> Result<(), ChangeError> {
        if let Some(feed) = self.live(id) {
            feed.cancel();
            feed.settled().await;
            return Ok(());
        }
        self.change(id, |record, _| record.status = RunStatus::Cancelled).await
    }

    /// Cancels a run, unless the run has ended.
    #[cfg(feature = "tasks")]
    pub(crate) async fn cancel_if_open(self: &Arc<Self>, id: &str) -> Result<(), RunStoreError> {
        unless_ended(self.cancel(id).await)
    }

    /// Passes answers to a run. The keys of `answers` are the keys of the questions. Unknown keys are ignored.
    pub(crate) async fn answer(&self, id: &str, answers: Map<String, Value>) -> Result<(), RunStoreError> {
        if let Some(feed) = self.live(id) {
            for (key, answer) in answers {
                feed.answer(&key, Ok(AnswerText::of_client(answer.to_string())));
            }
            return Ok(());
        }
        let changed = self.change(id, |_, details| {
            let is_open = |key: &str| details.questions.iter().any(|question| question.key == key);
            let answers: Vec<_> = answers.iter().filter(|(key, _)| is_open(key)).collect();
            details.answers.extend(answers.into_iter().map(|(key, answer)| (key.clone(), answer.clone())));
        });
        unless_ended(changed.await)
    }

    /// Waits until the run may have changed. For a run of another process, waits one second.
    #[cfg(feature = "tasks")]
    pub(crate) fn changed(&self, id: &str) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
        // Begins to watch now, and not at the first poll.
        let changes = self.live(id).map(|feed| feed.watch());
        Box::pin(async move {
            match changes {
                Some(mut changes) => drop(changes.changed().await),
                None => tokio::time::sleep(std::time::Duration::from_secs(1)).await,
            }
        })
    }

    /// Returns how long a run is kept after its end.
    #[cfg(feature = "tasks")]
    pub(crate) fn retention(&self) -> std::time::Duration {
        self.settings.retention
    }

    /// Returns the state of the run, or `None` if this process does not execute the run.
    pub(super) fn live(&self, id: &str) -> Option<Arc<RunFeed>> {
        self.live.lock().get(id).cloned()
    }

    pub(super) fn all_live(&self) -> Vec<(String, Arc<RunFeed>)> {
        self.live.lock().iter().map(|(id, feed)| (id.clone(), Arc::clone(feed))).collect()
    }

    /// Changes the record of an open run that another process executes or executed.
    pub(super) async fn change(
        &self,
        id: &str,
        change: impl Fn(&mut RunRecord, &mut RunDetails),
    ) -> Result<(), ChangeError> {
        loop {
            let found = self.settings.store.load(id).await.map_err(ChangeError::Store)?;
            let Some(mut record) = found else { return Err(ChangeError::Ended(RunStatus::Interrupted)) };
            if !record.status.is_open() {
                return Err(ChangeError::Ended(record.status));
            }
            let mut details = read(&record);
            change(&mut record, &mut details);
            record.updated_at = clock::now();
            record.details = serde_json::to_value(&details).unwrap_or_default();
            if self.settings.store.replace(&record).await.map_err(ChangeError::Store)? {
                return Ok(());
            }
        }
    }

    /// Removes ended runs that are too old or exceed the number of runs to keep.
    pub(super) async fn sweep(&self) {
        let before = clock::now().saturating_sub(clock::millis(self.settings.retention));
        let removed = self.settings.store.remove_ended(&self.tool, before, self.settings.history).await;
        if let Err(error) = removed {
            crate::report::report_limited!("cannot remove runs that have ended: {error}");
        }
    }

    async fn forget(&self, id: &str) {
        self.live.lock().remove(id);
        if self.ended.fetch_add(1, Ordering::Relaxed) % ENDED_PER_SWEEP == ENDED_PER_SWEEP - 1 {
            self.sweep().await;
        }
    }

    /// Returns the record and its details. If this process runs the run, adds what is newer than the record.
    fn current(&self, mut record: RunRecord) -> (RunRecord, RunDetails) {
        let mut details = read(&record);
        if record.status.is_open()
            && let Some(feed) = self.live(&record.id)
        {
            feed.describe(&mut details);
            record.status = feed.status();
        }
        (record, details)
    }

    fn beat(self: &Arc<Self>) {
        self.heartbeat.get_or_init(|| tokio::spawn(heartbeat::beat(Arc::downgrade(self))).abort_handle());
    }
}

fn unless_ended(changed: Result<(), ChangeError>) -> Result<(), RunStoreError> {
    match changed {
        Ok(()) | Err(ChangeError::Ended(_)) => Ok(()),
        Err(ChangeError::Store(error)) => Err(error),
    }
}

fn read(record: &RunRecord) -> RunDetails {
    serde_json::from_value(record.details.clone()).unwrap_or_default()
}

impl Drop for RunManager {
    fn drop(&mut self) {
        if let Some(heartbeat) = self.heartbeat.get() {
            heartbeat.abort();
        }
    }
}

impl std::fmt::Debug for RunManager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunManager").field("tool", &self.tool).finish_non_exhaustive()
    }
}
