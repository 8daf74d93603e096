//! The settings for multi-round calls, such as the ledger and the lease.

use std::{sync::Arc, time::Duration};

#[cfg(feature = "seal")]
use super::sealing::StateSettings;
#[cfg(not(feature = "seal"))]
use crate::engine::durable::continuation::RequestStates as StateSettings;
use crate::{
    engine::{
        call::multi_round::{MultiRound, multi_round},
        durable::{
            Durable, Once,
            ledger::{LEASE, Ledger, quota},
        },
        runs::ServerRunStore,
        store::{Store, StoreMigration, StoreParts},
    },
    serve::server::Server,
};

/// The author's settings for multi-round calls.
pub(crate) struct Durability {
    pub(super) ledger: Option<Arc<dyn Ledger>>,
    lease: Duration,
    once: Once,
    /// Multi-round support. It is set together with the ledger, because calls with an idempotency key need both.
    pub(super) multi_round: Option<&'static dyn MultiRound>,
    pub(super) states: StateSettings,
}

impl Server {
    /// Sets where the server stores its calls, its [runs](crate::runs) and the calls of plugins. Default: a
    /// [`MemoryStore`](crate::store::MemoryStore), which only this process uses. Instances that serve one endpoint need a
    /// shared store; see [`store`](crate::store) and [`surviving`](crate::guide::surviving).
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
        let StoreParts { ledger, runs, migrate } = store.into_parts();
        let mut server = self.ledger(ledger);
        server.replace_state(ServerRunStore(runs));
        if let Some(migrate) = migrate {
            server.replace_state(StoreMigration(migrate));
        }
        server
    }

    /// Sets only the ledger, which stores the records of calls and makes each round run once. It is for ledgers of your
    /// own; [`store`](Self::store) sets the ledger together with the store of runs.
    pub fn ledger(mut self, ledger: impl Ledger) -> Self {
        self.0.durability.ledger = Some(Arc::new(ledger));
        self.0.durability.multi_round = Some(multi_round());
        self
    }

    /// Sets the ledger if the author has set none.
    pub(crate) fn or_ledger(self, ledger: impl Ledger) -> Self {
        if self.0.durability.ledger.is_some() { self } else { self.ledger(ledger) }
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

impl Default for Durability {
    fn default() -> Self {
        Self { ledger: None, lease: LEASE, once: Once::default(), multi_round: None, states: StateSettings::default() }
    }
}

impl Durability {
    pub(super) fn complete(self, limits: quota::QuotaLimits, problems: &mut Vec<String>) -> Durable {
        let Self { ledger, lease, once, states, .. } = self;
        let is_shared = ledger.as_ref().is_some_and(|ledger| ledger.is_shared());
        Durable::new(ledger, lease, once, limits, states.complete(is_shared, problems))
    }
}
