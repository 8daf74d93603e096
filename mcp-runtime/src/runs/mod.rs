//! Runs: calls of actions that outlive their request.

mod memory;
mod record;
mod store;

pub use self::{
    memory::MemoryRunStore,
    record::{RunRecord, RunStatus},
    store::{InstanceBeat, RunFilter, RunStore, RunStoreError, RunStoreFuture},
};
