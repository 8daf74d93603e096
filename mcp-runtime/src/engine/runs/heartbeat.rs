//! Shows other processes that this process still runs, and marks the runs of stopped processes as interrupted.
//!
//! A counter in the store shows whether a process still runs, so the clocks of the processes do not matter.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use tokio::task::JoinHandle;

use super::{
    RunFilter, RunRecord, RunStatus, RunStoreError,
    changes::{RunChange, RunChangeReceiver},
    instances::BEATS,
    manager::RunManager,
};
use crate::base::{clock, report::report_limited};

/// The number of beats after which the old runs are removed.
const BEATS_PER_SWEEP: u32 = 60;
/// The maximum number of runs in one answer of the store.
const PAGE: usize = 500;

impl RunManager {
    /// Begins the heartbeat of this process, and begins to receive the reports of the store, if this has not begun.
    pub(super) fn beat(self: &Arc<Self>) {
        self.tasks.get_or_init(|| {
            let beating = tokio::spawn(beat(Arc::downgrade(self)));
            let listening = self.changes().map(|changes| listen(Arc::downgrade(self), changes));
            [Some(beating), listening.map(tokio::spawn)].iter().flatten().map(JoinHandle::abort_handle).collect()
        });
    }
}

/// Repeats the heartbeat of this process until the manager is dropped.
async fn beat(manager: Weak<RunManager>) {
    let mut beats = 0_u32;
    loop {
        let Some(manager) = manager.upgrade() else { return };
        if let Err(error) = beat_once(&manager).await {
            report_limited!("the heartbeat of runs failed: {error}");
        }
        beats = beats.wrapping_add(1);
        if beats.is_multiple_of(BEATS_PER_SWEEP) {
            manager.sweep().await;
        }
        let pause = manager.settings.heartbeat / BEATS;
        drop(manager);
        tokio::time::sleep(pause).await;
    }
}

/// Wakes each run of this process whose record another process has changed, as soon as the store reports it. Ends when
/// the manager is dropped.
async fn listen(manager: Weak<RunManager>, mut changes: RunChangeReceiver) {
    loop {
        let change = changes.next().await;
        let Some(manager) = manager.upgrade() else { return };
        match change {
            Some(RunChange { id, version }) => {
                if let Some(feed) = manager.live(&id).filter(|feed| version > feed.version()) {
                    feed.look_at_record();
                }
            }
            None => {
                if let Err(error) = note_changes(&manager).await {
                    report_limited!("the changes of runs are not known: {error}");
                }
            }
        }
    }
}

async fn beat_once(manager: &RunManager) -> Result<(), RunStoreError> {
    let (store, instances) = (manager.store(), &manager.instances);
    let beats = store.beat(&manager.instance).await?;
    let all_stopped = instances.note(&manager.instance, &beats);
    for stopped in &all_stopped {
        // The counter is removed last. If this process stops before that, another process marks the remaining runs.
        interrupt_runs(manager, stopped).await?;
        store.forget(stopped).await?;
        instances.forget(stopped);
    }
    instances.beat_ended();
    if !all_stopped.is_empty() {
        manager.sweep().await;
    }
    note_changes(manager).await
}

/// Marks all open runs of a stopped process as interrupted. If that process in fact still runs, it notices that its
/// runs were taken, and ends them.
async fn interrupt_runs(manager: &RunManager, instance: &str) -> Result<(), RunStoreError> {
    let store = manager.store();
    let filter = open_runs_of(instance);
    loop {
        let runs = store.list(&filter).await?;
        for run in &runs {
            store.replace(&interrupted(run)).await?;
        }
        if runs.is_empty() {
            return Ok(());
        }
    }
}

fn open_runs_of(instance: &str) -> RunFilter {
    let statuses = vec![RunStatus::Working, RunStatus::InputRequired];
    RunFilter { instance: Some(instance.to_owned()), statuses, limit: PAGE, ..RunFilter::default() }
}

fn interrupted(run: &RunRecord) -> RunRecord {
    let mut run = RunRecord { updated_at: clock::now(), ..run.clone() };
    run.close(RunStatus::Interrupted);
    run
}

/// Wakes each run of this process whose record another process has changed, for example with an answer. Marks a run as
/// interrupted if it is stored for this process but does not run. This happens if the store failed when the run began.
async fn note_changes(manager: &RunManager) -> Result<(), RunStoreError> {
    let live = manager.all_live();
    let mut filter = open_runs_of(&manager.instance);
    let mut stored = HashMap::new();
    loop {
        let page = manager.store().list(&filter).await?;
        filter.after = page.last().map(|run| (run.created_at, run.id.clone()));
        for run in &page {
            stored.insert(run.id.clone(), run.version);
            if manager.live(&run.id).is_none() {
                manager.store().replace(&interrupted(run)).await?;
            }
        }
        if page.len() < PAGE {
            break;
        }
    }
    for (id, feed) in live {
        if stored.get(&id).is_none_or(|version| *version > feed.version()) {
            feed.look_at_record();
        }
    }
    Ok(())
}
