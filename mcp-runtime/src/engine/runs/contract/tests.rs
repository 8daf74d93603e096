//! The contract accepts the stores of this crate, and finds faults.

use std::sync::Arc;

use super::{records::NO_LIMIT, *};
use crate::engine::runs::{MemoryRunStore, RunInsertion, RunLimits, RunQuota, RunStoreFuture};

#[tokio::test]
async fn memory_store_follows_the_rules() {
    let store = Arc::new(MemoryRunStore::new());
    run_store_contract(async || Arc::clone(&store)).await;
}

/// A faulty store that does not compare versions.
struct Overwrites(MemoryRunStore);

/// A faulty store that counts the open runs of all owners together.
struct OneLimit(MemoryRunStore);

macro_rules! otherwise_like_memory {
    ($($method:ident($($name:ident: $of:ty),*) -> $output:ty;)*) => {$(
        fn $method<'a>(&'a self, $($name: $of),*) -> RunStoreFuture<'a, $output> {
            self.0.$method($($name),*)
        }
    )*};
}

impl RunStore for Overwrites {
    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        Box::pin(async move {
            let Some(stored) = self.0.load(&run.id).await? else { return Ok(false) };
            self.0.replace(&RunRecord { version: stored.version, ..run.clone() }).await
        })
    }

    otherwise_like_memory! {
        insert(run: &'a RunRecord, limits: RunLimits) -> RunInsertion;
        load(id: &'a str) -> Option<RunRecord>;
        list(filter: &'a RunFilter) -> Vec<RunRecord>;
        beat(instance: &'a str) -> Vec<InstanceBeat>;
        forget(instance: &'a str) -> ();
        remove_ended(tool: &'a str, before: u64, limits: RunLimits) -> usize;
    }
}

impl RunStore for OneLimit {
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        let runs = limits.total.runs.min(limits.per_owner.runs);
        self.0.insert(run, RunLimits { total: RunQuota { runs, ..limits.total }, ..limits })
    }

    otherwise_like_memory! {
        load(id: &'a str) -> Option<RunRecord>;
        replace(run: &'a RunRecord) -> bool;
        list(filter: &'a RunFilter) -> Vec<RunRecord>;
        beat(instance: &'a str) -> Vec<InstanceBeat>;
        forget(instance: &'a str) -> ();
        remove_ended(tool: &'a str, before: u64, limits: RunLimits) -> usize;
    }
}

#[tokio::test]
#[should_panic(expected = "`replace` must return `false` for an old version")]
async fn store_that_does_not_compare_versions_fails() {
    let store = Arc::new(Overwrites(MemoryRunStore::new()));
    run_store_contract(async || Arc::clone(&store)).await;
}

#[tokio::test]
#[should_panic(expected = "the limit of an owner must not count runs of another owner or tool")]
async fn store_that_counts_all_owners_together_fails() {
    let store = Arc::new(OneLimit(MemoryRunStore::new()));
    run_store_contract(async || Arc::clone(&store)).await;
}

/// A faulty store that removes the oldest runs of all owners together.
struct OldestFirst(MemoryRunStore);

impl RunStore for OldestFirst {
    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        Box::pin(async move {
            let removed = self.0.remove_ended(tool, before, RunLimits { total: NO_LIMIT, ..limits }).await?;
            let statuses = vec![RunStatus::Completed];
            let ended = RunFilter { tool: Some(tool.to_owned()), statuses, limit: usize::MAX, ..RunFilter::default() };
            let oldest = self.0.list(&ended).await?.get(limits.total.runs).map_or(0, |run| run.updated_at + 1);
            Ok(removed + self.0.remove_ended(tool, oldest, limits).await?)
        })
    }

    otherwise_like_memory! {
        insert(run: &'a RunRecord, limits: RunLimits) -> RunInsertion;
        load(id: &'a str) -> Option<RunRecord>;
        replace(run: &'a RunRecord) -> bool;
        list(filter: &'a RunFilter) -> Vec<RunRecord>;
        beat(instance: &'a str) -> Vec<InstanceBeat>;
        forget(instance: &'a str) -> ();
    }
}

#[tokio::test]
#[should_panic(expected = "the owner with the most runs must lose its oldest runs")]
async fn store_that_removes_the_oldest_runs_of_all_owners_fails() {
    let store = Arc::new(OldestFirst(MemoryRunStore::new()));
    run_store_contract(async || Arc::clone(&store)).await;
}
