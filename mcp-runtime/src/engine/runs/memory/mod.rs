//! A store of runs in memory.

mod tool_runs;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    future::ready,
    sync::Arc,
};

use self::tool_runs::ToolRuns;
use super::{
    InstanceBeat, RunChanges, RunFilter, RunInsertion, RunLimits, RunRecord, RunStore, RunStoreError, RunStoreFuture,
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
    runs: foldhash::HashMap<Arc<str>, RunRecord>,
    /// The runs by time, oldest first. Lists use the reverse order.
    by_time: BTreeSet<(u64, Arc<str>)>,
    /// What the runs of each tool take.
    tools: HashMap<String, ToolRuns>,
    beats: BTreeMap<String, u64>,
}

impl MemoryRunStore {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }
}

impl StoredRuns {
    fn insert(&mut self, run: &RunRecord, limits: RunLimits) -> Option<RunInsertion> {
        let id: Arc<str> = run.id.as_str().into();
        if self.runs.contains_key(&id) {
            return None;
        }
        let of_tool = match self.tools.get_mut(&run.tool) {
            Some(of_tool) => of_tool,
            None => self.tools.entry(run.tool.clone()).or_default(),
        };
        let insertion = of_tool.admit(run, limits);
        if insertion == RunInsertion::Stored {
            of_tool.add(run, &id);
            self.by_time.insert((run.created_at, Arc::clone(&id)));
            self.runs.insert(id, run.clone());
        }
        Some(insertion)
    }

    /// Writes what can change, if the stored version is that of `run`. Returns whether it was written.
    fn replace(&mut self, run: &RunRecord) -> bool {
        let Some((id, _)) = self.runs.get_key_value(&*run.id) else { return false };
        let id = Arc::clone(id);
        let Some(stored) = self.runs.get_mut(&id).filter(|stored| stored.version == run.version) else { return false };
        let Some(of_tool) = self.tools.get_mut(&stored.tool) else { return false };
        of_tool.replace(stored, run, &id);
        let RunRecord { status, instance, updated_at, bytes, details, .. } = run;
        stored.instance.clone_from(instance);
        stored.details.clone_from(details);
        (stored.status, stored.updated_at, stored.bytes) = (*status, *updated_at, *bytes);
        stored.version += 1;
        true
    }

    fn remove_ended(&mut self, tool: &str, before: u64, limits: RunLimits) -> usize {
        let Some(of_tool) = self.tools.get_mut(tool) else { return 0 };
        let removed = of_tool.excess(before, limits);
        for id in &removed {
            if let Some(run) = self.runs.remove(id) {
                of_tool.remove(&run, id);
                self.by_time.remove(&(run.created_at, Arc::clone(id)));
            }
        }
        removed.len()
    }
}

impl RunStore for MemoryRunStore {
    fn outlives_process(&self) -> bool {
        false
    }

    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        let inserted = self.stored.lock().insert(run, limits);
        Box::pin(ready(inserted.ok_or_else(|| RunStoreError::new("a run with this id exists"))))
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        Box::pin(ready(Ok(self.stored.lock().runs.get(id).cloned())))
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        let is_written = self.stored.lock().replace(run);
        if is_written {
            self.changes.written(&run.id, run.version + 1);
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
        Box::pin(ready(Ok(self.stored.lock().remove_ended(tool, before, limits))))
    }

    fn changes(&self) -> Option<&RunChanges> {
        Some(&self.changes)
    }
}
