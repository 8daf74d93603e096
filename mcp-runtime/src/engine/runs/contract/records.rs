//! The records that the contract writes.

use crate::{
    base::random,
    engine::runs::{RunInsertion, RunLimits, RunQuota, RunRecord, RunStore, RunStoreFuture},
};

pub(super) async fn expect<T>(operation: RunStoreFuture<'_, T>) -> T {
    operation.await.unwrap_or_else(|error| panic!("an operation failed: {error}"))
}

pub(super) const NO_LIMIT: RunQuota = RunQuota { runs: usize::MAX, bytes: u64::MAX };

/// Stores a run without limits.
pub(super) async fn store(store: &impl RunStore, run: &RunRecord) {
    let limits = RunLimits { per_owner: NO_LIMIT, total: NO_LIMIT };
    let insertion = expect(store.insert(run, limits)).await;
    assert_eq!(insertion, RunInsertion::Stored, "`insert` must store a run that exceeds no limit");
}

/// A run of a tool that no other test uses.
pub(super) fn run(tool: &str, owner: Option<&str>, created_at: u64) -> RunRecord {
    RunRecord::new(tool, "sort", owner, "instance", created_at)
}

pub(super) fn new_tool() -> String {
    format!("tool-{}", random::hex())
}
