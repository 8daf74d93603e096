//! Runs: calls of actions that outlive their request.

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

pub(crate) use self::feed::{RunEnd, moment};
pub use self::{
    memory::MemoryRunStore,
    record::{RunRecord, RunStatus},
    settings::Runs,
    store::{InstanceBeat, RunFilter, RunStore, RunStoreError, RunStoreFuture},
};
