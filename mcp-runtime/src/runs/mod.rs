//! Runs: calls of actions that outlive their request.

#[cfg(feature = "tasks")]
mod as_tasks;
mod background;
pub(crate) mod details;
mod feed;
mod follow;
mod heartbeat;
mod keeper;
mod live;
pub(crate) mod manager;
mod memory;
mod record;
mod settings;
mod store;

#[cfg(feature = "tasks")]
pub(crate) use self::as_tasks::{RunsAsTasks, TaskResultFn};
pub(crate) use self::feed::{RunEnd, moment};
pub use self::{
    memory::MemoryRunStore,
    record::{RunRecord, RunStatus},
    settings::Runs,
    store::{InstanceBeat, RunFilter, RunStore, RunStoreError, RunStoreFuture},
};
