//! A store of runs in memory.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    future::ready,
};

use super::{InstanceBeat, RunFilter, RunRecord, RunStore, RunStoreError, RunStoreFuture};
use crate::mutex::Mutex;

/// A store of runs in memory. Its runs are lost when the process ends.
#[derive(Debug, Default)]
pub struct MemoryRunStore(Mutex<StoredRuns>);

#[derive(Debug, Default)]
struct StoredRuns {
    runs: HashMap<String, RunRecord>,
    /// The runs by time, oldest first. Lists use the reverse order.
    by_time: BTreeSet<(u64, String)>,
    beats: BTreeMap<String, u64>,
}

impl MemoryRunStore {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }
}

impl RunStore for MemoryRunStore {
    fn insert<'a>(&'a self, run: &'a RunRecord, most_open: usize) -> RunStoreFuture<'a, bool> {
        let mut stored = self.0.lock();
        if stored.runs.contains_key(&run.id) {
            return Box::pin(ready(Err(RunStoreError::new("a run with this id exists"))));
        }
        let is_counted =
            |other: &&RunRecord| other.status.is_open() && other.tool == run.tool && other.owner == run.owner;
        let has_room = stored.runs.values().filter(is_counted).count() < most_open;
        if has_room {
            stored.by_time.insert((run.created_at, run.id.clone()));
            stored.runs.insert(run.id.clone(), run.clone());
        }
        Box::pin(ready(Ok(has_room)))
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        Box::pin(ready(Ok(self.0.lock().runs.get(id).cloned())))
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        let mut stored = self.0.lock();
        let current = stored.runs.get_mut(&run.id).filter(|current| current.version == run.version);
        let is_written = current.is_some();
        if let Some(current) = current {
            let RunRecord { status, instance, updated_at, details, .. } = run.clone();
            *current = RunRecord { status, instance, updated_at, details, version: run.version + 1, ..current.clone() };
        }
        Box::pin(ready(Ok(is_written)))
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        let stored = self.0.lock();
        let newest_first = stored.by_time.iter().rev().filter_map(|(_, id)| stored.runs.get(id));
        let found = newest_first.filter(|run| filter.matches(run)).take(filter.limit).cloned().collect();
        Box::pin(ready(Ok(found)))
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        let mut stored = self.0.lock();
        *stored.beats.entry(instance.to_owned()).or_default() += 1;
        let beats = stored.beats.iter();
        let beats = beats.map(|(instance, count)| InstanceBeat { instance: instance.clone(), count: *count }).collect();
        Box::pin(ready(Ok(beats)))
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        self.0.lock().beats.remove(instance);
        Box::pin(ready(Ok(())))
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, keep: usize) -> RunStoreFuture<'a, usize> {
        let mut stored = self.0.lock();
        let newest_first = stored.by_time.iter().rev().filter_map(|(_, id)| stored.runs.get(id));
        let ended = newest_first.filter(|run| run.tool == tool && !run.status.is_open()).enumerate();
        let old = ended.filter(|(place, run)| *place >= keep || run.updated_at < before);
        let old: Vec<_> = old.map(|(_, run)| (run.created_at, run.id.clone())).collect();
        for entry in &old {
            stored.runs.remove(&entry.1);
            stored.by_time.remove(entry);
        }
        Box::pin(ready(Ok(old.len())))
    }
}
