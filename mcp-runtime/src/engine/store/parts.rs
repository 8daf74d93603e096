//! What a store consists of.

use std::{error::Error, pin::Pin, sync::Arc};

use crate::engine::{durable::ledger::Ledger, runs::RunStore};

/// A store for all that a server keeps.
///
/// A pair of a ledger and a store of runs is a store too, for servers that keep these in different places.
///
/// ```
/// use mcp_runtime::{prelude::*, runs::MemoryRunStore, store::MemoryLedger};
///
/// let server = Server::new("trips", "1.0.0").store((MemoryLedger::new(), MemoryRunStore::new()));
/// # drop(server);
/// ```
pub trait Store {
    /// Returns the parts of the store. A type that implements both [`Ledger`] and [`RunStore`] returns
    /// `StoreParts::new(self.clone(), self)`.
    fn into_parts(self) -> StoreParts;
}

/// The parts of a [`Store`].
pub struct StoreParts {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) runs: Arc<dyn RunStore>,
    pub(crate) migrate: Option<MigrateFn>,
}

/// Creates or changes the tables of a store, and returns what it did.
pub(crate) type MigrateFn = Arc<dyn Fn() -> Migrating + Send + Sync>;
pub(super) type Migrating = Pin<Box<dyn Future<Output = Result<String, Box<dyn Error + Send + Sync>>> + Send>>;

/// The migration of the store of a server, among the values that its tools share.
pub(crate) struct StoreMigration(pub(crate) MigrateFn);

impl StoreParts {
    /// Creates a store from its parts.
    pub fn new(ledger: impl Ledger, runs: impl RunStore) -> Self {
        Self { ledger: Arc::new(ledger), runs: Arc::new(runs), migrate: None }
    }
}

impl Store for StoreParts {
    fn into_parts(self) -> StoreParts {
        self
    }
}

impl<L: Ledger, R: RunStore> Store for (L, R) {
    fn into_parts(self) -> StoreParts {
        StoreParts::new(self.0, self.1)
    }
}

impl std::fmt::Debug for StoreParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoreParts").finish_non_exhaustive()
    }
}
