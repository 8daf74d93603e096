//! A store for runs that takes its time.

use std::time::Duration;

use mcp_runtime::runs::{
    InstanceBeat, MemoryRunStore, RunFilter, RunInsertion, RunLimits, RunRecord, RunStore, RunStoreFuture,
};

const LATENCY: Duration = Duration::from_millis(50);

/// Stores runs in memory. A new run takes 50 ms to store, and a stored run takes 50 ms to load.
#[derive(Default)]
pub(crate) struct SlowRunStore(MemoryRunStore);

impl RunStore for SlowRunStore {
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        Box::pin(async move {
            let stored = self.0.insert(run, limits).await;
            tokio::time::sleep(LATENCY).await;
            stored
        })
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        Box::pin(async move {
            tokio::time::sleep(LATENCY).await;
            self.0.load(id).await
        })
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        self.0.replace(run)
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        self.0.list(filter)
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        self.0.beat(instance)
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        self.0.forget(instance)
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        self.0.remove_ended(tool, before, limits)
    }
}
