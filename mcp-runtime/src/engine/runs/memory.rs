//! A store of runs in memory.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    future::ready,
};

use super::{
    InstanceBeat, RunChanges, RunFilter, RunInsertion, RunLimits, RunQuota, RunRecord, RunStore, RunStoreError,
    RunStoreFuture,
};
use crate::base::mutex::Mutex;

/// A store of runs in memory. Its runs are lost when the process ends.
#[derive(Debug, Default)]
pub struct MemoryRunStore {
    stored: Mutex<StoredRuns>,
    changes: RunChanges,
}

#[derive(Debug, Default)]
struct StoredRuns {
    runs: HashMap<String, RunRecord>,
    /// The runs by time, oldest first. Lists use the reverse order.
    by_time: BTreeSet<(u64, String)>,
    /// The ids of the open runs.
    open: HashSet<String>,
    beats: BTreeMap<String, u64>,
}

impl MemoryRunStore {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }
}

impl StoredRuns {
    fn write(&mut self, run: RunRecord) {
        if run.status.is_open() {
            self.open.insert(run.id.clone());
        } else {
            self.open.remove(&run.id);
        }
        self.runs.insert(run.id.clone(), run);
    }
}

impl RunStore for MemoryRunStore {
    fn outlives_process(&self) -> bool {
        false
    }

    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        let mut stored = self.stored.lock();
        if stored.runs.contains_key(&run.id) {
            return Box::pin(ready(Err(RunStoreError::new("a run with this id exists"))));
        }
        let (mut owner, mut total) = (RunQuota::default(), RunQuota::default());
        let open = stored.open.iter().filter_map(|id| stored.runs.get(id));
        for other in open.filter(|other| other.tool == run.tool) {
            total.add(other);
            if other.owner == run.owner {
                owner.add(other);
            }
        }
        let insertion = limits.admit(run.bytes, owner, total);
        if insertion == RunInsertion::Stored {
            stored.by_time.insert((run.created_at, run.id.clone()));
            stored.write(run.clone());
        }
        Box::pin(ready(Ok(insertion)))
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        Box::pin(ready(Ok(self.stored.lock().runs.get(id).cloned())))
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        let mut stored = self.stored.lock();
        let current = stored.runs.get(&run.id).filter(|current| current.version == run.version).cloned();
        let is_written = current.is_some();
        if let Some(current) = current {
            let RunRecord { status, instance, updated_at, bytes, details, .. } = run.clone();
            let version = run.version + 1;
            stored.write(RunRecord { status, instance, updated_at, bytes, details, version, ..current });
            self.changes.written(&run.id, version);
        }
        Box::pin(ready(Ok(is_written)))
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        let stored = self.stored.lock();
        let newest_first = stored.by_time.iter().rev().filter_map(|(_, id)| stored.runs.get(id));
        let found = newest_first.filter(|run| filter.matches(run)).take(filter.limit).cloned().collect();
        Box::pin(ready(Ok(found)))
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        let mut stored = self.stored.lock();
        *stored.beats.entry(instance.to_owned()).or_default() += 1;
        let beats = stored.beats.iter();
        let beats = beats.map(|(instance, count)| InstanceBeat { instance: instance.clone(), count: *count }).collect();
        Box::pin(ready(Ok(beats)))
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        self.stored.lock().beats.remove(instance);
        Box::pin(ready(Ok(())))
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        let mut stored = self.stored.lock();
        let ended = stored.runs.values().filter(|run| run.tool == tool && !run.status.is_open());
        let (mut removed, kept): (Vec<_>, Vec<_>) = ended.partition(|run| run.updated_at < before);
        removed.extend(limits.excess(kept));
        let removed: Vec<_> = removed.into_iter().map(|run| (run.created_at, run.id.clone())).collect();
        for entry in &removed {
            stored.runs.remove(&entry.1);
            stored.by_time.remove(entry);
        }
        Box::pin(ready(Ok(removed.len())))
    }

    fn changes(&self) -> Option<&RunChanges> {
        Some(&self.changes)
    }
}
