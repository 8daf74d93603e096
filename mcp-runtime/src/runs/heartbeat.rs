//! Shows other processes that this process still runs, and marks the runs of stopped processes as interrupted.
//!
//! A counter in the store shows whether a process still runs, so the clocks of the processes do not matter.

use std::{collections::HashMap, sync::Weak};

use super::{InstanceBeat, RunFilter, RunRecord, RunStatus, RunStoreError, manager::RunManager};
use crate::{call::clock, report::report_limited};

/// The number of beats in one heartbeat. There are several, so that one late beat causes no harm.
const BEATS: u32 = 2;
/// The number of beats without a sign of life after which a process counts as stopped. The last sign of life can be
/// noticed up to one beat late, so the whole time is at most two heartbeats.
const MISSED: u32 = 2 * BEATS - 1;
/// The number of beats after which the old runs are removed.
const BEATS_PER_SWEEP: u32 = 60;
/// The maximum number of runs in one answer of the store.
const PAGE: usize = 500;

const OPEN: [RunStatus; 2] = [RunStatus::Working, RunStatus::InputRequired];

/// Repeats the heartbeat of this process until the manager is dropped.
pub(super) async fn beat(manager: Weak<RunManager>) {
    let mut others = Others::default();
    let mut beats = 0_u32;
    loop {
        let Some(manager) = manager.upgrade() else { return };
        if let Err(error) = beat_once(&manager, &mut others).await {
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

/// The other processes, and what this process knows of them.
#[derive(Default)]
struct Others(HashMap<String, Seen>);

struct Seen {
    count: u64,
    /// The number of beats in which the count did not change.
    missed: u32,
}

async fn beat_once(manager: &RunManager, others: &mut Others) -> Result<(), RunStoreError> {
    let store = &manager.settings.store;
    let beats = store.beat(&manager.instance).await?;
    for stopped in others.stopped(&manager.instance, &beats) {
        // The counter is removed last. If this process stops before that, another process marks the remaining runs.
        interrupt_runs(manager, &stopped).await?;
        store.forget(&stopped).await?;
    }
    note_changes(manager).await
}

impl Others {
    /// Returns the processes that have stopped.
    fn stopped(&mut self, own: &str, beats: &[InstanceBeat]) -> Vec<String> {
        self.0.retain(|instance, _| beats.iter().any(|beat| beat.instance == *instance));
        let mut stopped = Vec::new();
        for beat in beats.iter().filter(|beat| beat.instance != own) {
            let (count, instance) = (beat.count, &beat.instance);
            match self.0.get_mut(instance) {
                Some(seen) if seen.count == count => {
                    seen.missed += 1;
                    if seen.missed >= MISSED {
                        stopped.push(instance.clone());
                    }
                }
                Some(seen) => *seen = Seen { count, missed: 0 },
                None => drop(self.0.insert(instance.clone(), Seen { count, missed: 0 })),
            }
        }
        stopped
    }
}

/// Marks all open runs of a stopped process as interrupted. If that process in fact still runs, it notices that its
/// runs were taken, and ends them.
async fn interrupt_runs(manager: &RunManager, instance: &str) -> Result<(), RunStoreError> {
    let store = &manager.settings.store;
    let filter =
        RunFilter { instance: Some(instance.to_owned()), statuses: OPEN.to_vec(), limit: PAGE, ..RunFilter::default() };
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

fn interrupted(run: &RunRecord) -> RunRecord {
    let mut run = RunRecord { status: RunStatus::Interrupted, updated_at: clock::now(), ..run.clone() };
    if let Some(details) = run.details.as_object_mut() {
        details.remove("questions");
    }
    run
}

/// Wakes each run of this process whose record another process has changed, for example with an answer. Marks a run as
/// interrupted if it is stored for this process but does not run. This happens if the store failed when the run began.
async fn note_changes(manager: &RunManager) -> Result<(), RunStoreError> {
    let live = manager.all_live();
    let mut filter = RunFilter {
        instance: Some(manager.instance.clone()),
        statuses: OPEN.to_vec(),
        limit: PAGE,
        ..RunFilter::default()
    };
    let mut stored = HashMap::new();
    loop {
        let page = manager.settings.store.list(&filter).await?;
        filter.after = page.last().map(|run| (run.created_at, run.id.clone()));
        for run in &page {
            stored.insert(run.id.clone(), run.version);
            if manager.live(&run.id).is_none() {
                manager.settings.store.replace(&interrupted(run)).await?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn beats(counts: &[(&str, u64)]) -> Vec<InstanceBeat> {
        counts
            .iter()
            .map(|(instance, count)| InstanceBeat { instance: (*instance).to_owned(), count: *count })
            .collect()
    }

    #[test]
    fn a_process_counts_as_stopped_after_two_heartbeats_without_a_sign_of_life() {
        let mut others = Others::default();
        for count in 1..=20 {
            assert!(others.stopped("own", &beats(&[("own", count), ("other", count / 3)])).is_empty(), "{count}");
        }
        let last = beats(&[("own", 1), ("other", 7)]);
        assert!(others.stopped("own", &last).is_empty());
        for _ in 1..MISSED {
            assert!(others.stopped("own", &last).is_empty());
        }
        assert_eq!(others.stopped("own", &last), ["other"]);
    }
}
