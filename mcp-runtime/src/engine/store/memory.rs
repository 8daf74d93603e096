//! A store in memory.

use std::sync::Arc;

use super::parts::{Store, StoreParts};
use crate::engine::{durable::ledger::MemoryLedger, runs::MemoryRunStore};

/// A store in memory: a [`MemoryLedger`] and a [`MemoryRunStore`]. It is the default store of a server. Its content is
/// lost when the process ends. Open calls then end with an error that tells the client so.
///
/// Clones share the same content, so several services in one process can have one store.
///
/// ```
/// use mcp_runtime::{prelude::*, store::MemoryStore};
///
/// let store = MemoryStore::new();
/// let [one, other] = ["one", "other"].map(|name| Server::new(name, "1.0.0").store(store.clone()));
/// # drop((one, other));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    ledger: MemoryLedger,
    runs: Arc<MemoryRunStore>,
}

impl MemoryStore {
    /// Creates an empty store with the default limits.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Store for MemoryStore {
    fn into_parts(self) -> StoreParts {
        StoreParts::new(self.ledger, self.runs)
    }
}
