//! The settings for multi-round calls, such as the ledger and the lease.

use std::{sync::Arc, time::Duration};

use crate::{
    engine::{
        call::multi_round::multi_round,
        durable::{
            Once,
            ledger::{Ledger, LedgerShards},
        },
        runs::ServerRunStore,
        store::{Store, StoreMigration, StoreParts},
    },
    serve::server::Server,
};

impl Server {
    /// Sets where the server stores its calls, its [runs](crate::runs) and the calls of plugins. Default: a
    /// [`MemoryStore`](crate::store::MemoryStore), which only this process uses. Instances that serve one endpoint need a
    /// shared store; see [`store`](crate::store) and [`surviving`](crate::guide::surviving). In a program that calls
    /// [`run`](Self::run), the operator can choose another store; see the module `settings`.
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # fn server(path: &std::path::Path) -> Result<(), mcp_runtime::store::SqliteStoreError> {
    /// use mcp_runtime::{prelude::*, store::SqliteStore};
    ///
    /// let server = Server::new("trips", "1.0.0").store(SqliteStore::open(path)?);
    /// # drop(server);
    /// # Ok(())
    /// # }
    /// ```
    pub fn store(self, store: impl Store) -> Self {
        let StoreParts { ledgers, runs, migrate } = store.into_parts();
        let mut server = self.ledgers(ledgers);
        server.replace_state(ServerRunStore(runs));
        if let Some(migrate) = migrate {
            server.replace_state(StoreMigration(migrate));
        }
        server
    }

    /// Sets only the ledger, which stores the records of calls and makes each round run once. It is for ledgers of your
    /// own; [`store`](Self::store) sets the ledger together with the store of runs.
    pub fn ledger(self, ledger: impl Ledger) -> Self {
        self.ledgers(LedgerShards::new(Arc::new(ledger)))
    }

    fn ledgers(mut self, ledgers: LedgerShards) -> Self {
        self.0.durability.ledgers = Some(ledgers);
        self.0.durability.multi_round = Some(multi_round());
        self
    }

    /// Sets the ledger if the author has set none.
    pub(crate) fn or_ledger(self, ledger: impl Ledger) -> Self {
        if self.0.durability.ledgers.is_some() { self } else { self.ledger(ledger) }
    }

    /// Sets the duration of the lease that an instance holds on a round, in whole milliseconds. Default: 30 seconds.
    /// The instance renews the lease three times in this duration. When a lease has expired, another instance can take
    /// over the round. Then the ledger rejects the writes of the first instance.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.0.durability.lease = lease;
        self
    }

    /// Sets whether an instance resumes a call that was begun with another ledger. Default: [`Once::PerLedger`], which
    /// rejects such a call.
    ///
    /// With [`Once::PerInstance`] and common keys, instances without a common ledger can serve one endpoint behind any
    /// load balancer. A repeated request can then run on two instances. With both values, calls of tools marked
    /// `read_only` or `idempotent` can be resumed with another ledger.
    pub fn once(mut self, once: Once) -> Self {
        self.0.durability.once = once;
        self
    }
}

#[cfg(feature = "seal")]
impl Server {
    /// Sets the size limit of a `requestState` in bytes. Default: 32 KiB. If the journal of a call makes the state
    /// larger than this limit, the sealed journal is stored in the ledger instead.
    pub fn max_state_size(mut self, bytes: usize) -> Self {
        self.0.durability.states.state_size = Some(bytes);
        self
    }

    /// Sets the keys that seal each `requestState`. Default: the keys in the environment variable `MCP_STATE_KEY`. If
    /// the variable is not set, each process creates a random key of its own. In a program that calls
    /// [`run`](Self::run), the keys of the operator have precedence over these.
    pub fn state_keys(mut self, keys: crate::engine::durable::seal::KeyRing) -> Self {
        self.0.durability.states.keys = Some(keys);
        self
    }
}
