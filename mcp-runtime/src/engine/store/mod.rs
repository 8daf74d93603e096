//! Where calls and runs are stored.
//!
//! A server has one store. It holds the [ledger](crate::store::Ledger), which makes each round of a call run once, the
//! [runs](crate::runs), and the calls of [plugins](crate::plugin). [`Server::store`](crate::Server::store) sets
//! it, and [`open`] opens the one that an address names:
//!
//! | the server is | store | what survives |
//! | --- | --- | --- |
//! | one process | [`MemoryStore`], the default | nothing |
//! | one machine, one process or several | `SqliteStore` (feature `sqlite`) | the end of the process |
//! | many machines | `PostgresStore` (feature `postgres`), or `RedisStore` (feature `redis`) | the end of any process and machine |
//!
//! [`surviving`](crate::guide::surviving) says what that means for calls, fault by fault. A store of your own implements
//! [`Ledger`](crate::store::Ledger), [`RunStore`](crate::runs::RunStore) and [`Store`]; the feature `testing` has tests for the
//! first two (`testing::ledger_contract`, `testing::run_store_contract`).

#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
mod limits;
#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
mod listener;
mod memory;
mod open;
mod parts;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "redis")]
mod redis;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;

pub(crate) use self::parts::StoreMigration;
#[cfg(feature = "postgres")]
pub use self::postgres::{PostgresStore, PostgresStoreBuilder, PostgresStoreError};
#[cfg(feature = "redis")]
pub use self::redis::{RedisStore, RedisStoreBuilder, RedisStoreError};
#[cfg(feature = "sqlite")]
pub use self::sqlite::{SqliteStore, SqliteStoreError};
pub use self::{
    memory::MemoryStore,
    open::{StoreOpenError, open},
    parts::{Store, StoreParts},
};
#[cfg(feature = "seal")]
pub use crate::engine::durable::seal::{KeyRing, KeyRingError};
use crate::engine::runs::RunStore;
pub use crate::engine::{
    call::{hold::LedgerError, ledger_time::LedgerTime},
    durable::{
        Once,
        ledger::{
            Ledger, LedgerCapacity, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, MemoryLedger,
            Swapped,
        },
    },
};

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
type Migrating = Pin<Box<dyn Future<Output = Result<String, Box<dyn Error + Send + Sync>>> + Send>>;

/// The migration of the store of a server, among the values that its tools share.
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "only the command line reads it"))]
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
