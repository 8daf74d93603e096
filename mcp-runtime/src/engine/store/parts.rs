//! What a store consists of.

use std::{error::Error, pin::Pin, sync::Arc};

use crate::engine::{
    durable::ledger::{Ledger, LedgerShard, LedgerShards},
    runs::RunStore,
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
    pub(crate) ledgers: LedgerShards,
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
        Self { ledgers: LedgerShards::new(Arc::new(ledger)), runs: Arc::new(runs), migrate: None }
    }

    /// Adds a store for a part of the calls, so that more calls can be open, and more can begin each second, than one
    /// store can take. New calls are spread evenly. [`capacity`](crate::guide::capacity) says when to do that.
    ///
    /// ```
    /// use mcp_runtime::{prelude::*, store};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// # let [one, two] = ["memory"; 2];
    /// let stores = store::open(one).await?.shard(store::open(two).await?);
    /// let server = Server::new("trips", "1.0.0").store(stores);
    /// # drop(server);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A call stays in the store in which it began: its state names the store. So a call is found by every instance that
    /// has the store, whatever the order of the stores. If a store fails, its calls get the same errors as with a single
    /// store, other calls are not affected, and new calls begin in the other stores.
    ///
    /// The first store also has what is found by its name: calls with an idempotency key, the calls of plugins, and
    /// [runs](crate::runs). So it must be the same on all instances and must not be replaced.
    pub fn shard(self, store: impl Store) -> Self {
        self.with(store, false)
    }

    /// Adds a store that gets no new calls, but continues those that it has. To remove a [`shard`](Self::shard), first
    /// add it with this method on all instances. When the states of its calls have expired, which takes an hour by
    /// default, no call is left in it.
    pub fn draining_shard(self, store: impl Store) -> Self {
        self.with(store, true)
    }

    fn with(mut self, store: impl Store, drains: bool) -> Self {
        let StoreParts { ledgers, migrate, .. } = store.into_parts();
        for shard in ledgers {
            self.ledgers.push(LedgerShard { drains: drains || shard.drains, ..shard });
        }
        self.migrate = match (self.migrate.take(), migrate) {
            (Some(one), Some(other)) => Some(both(one, other)),
            (one, other) => one.or(other),
        };
        self
    }
}

/// Returns a function that migrates one store after the other.
fn both(one: MigrateFn, other: MigrateFn) -> MigrateFn {
    Arc::new(move || {
        let (one, other) = (one(), other());
        Box::pin(async move { Ok(format!("{}\n{}", one.await?, other.await?)) })
    })
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
