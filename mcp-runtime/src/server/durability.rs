//! The settings for multi-round calls: ledger, lease, keys.

use std::{sync::Arc, time::Duration};

#[cfg(feature = "seal")]
use super::sealing::StateSettings;
#[cfg(not(feature = "seal"))]
use crate::durable::continuation::StateSettings;
use crate::{
    call::multi_round::{MultiRound, multi_round},
    durable::{
        Durable, Once,
        ledger::{LEASE, Ledger, quota},
    },
    server::Server,
};

/// The settings of the author.
pub(crate) struct Durability {
    pub(super) ledger: Option<Arc<dyn Ledger>>,
    lease: Duration,
    once: Once,
    /// Set together with the ledger: calls with an idempotency key need it even if no tool asks its client.
    pub(super) multi_round: Option<&'static dyn MultiRound>,
    pub(super) states: StateSettings,
}

impl Server {
    /// Sets the ledger: the store for the records of calls, which makes each round run once. Default: a
    /// [`MemoryLedger`](crate::MemoryLedger), which covers this process. Instances that serve one endpoint need a
    /// shared ledger; see [`surviving`](crate::surviving).
    pub fn ledger(mut self, ledger: impl Ledger) -> Self {
        self.durability.ledger = Some(Arc::new(ledger));
        self.durability.multi_round = Some(multi_round());
        self
    }

    /// Sets the ledger, unless the server has one.
    #[cfg(feature = "testing")]
    pub(crate) fn or_ledger(self, ledger: impl Ledger) -> Self {
        if self.durability.ledger.is_some() { self } else { self.ledger(ledger) }
    }

    /// Sets how long an instance keeps a round without renewing its lease, in whole milliseconds. Default: 30 seconds.
    /// An instance renews its leases three times as often; after another one has taken a round over, it cannot write it
    /// any more.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.durability.lease = lease;
        self
    }

    /// Sets whether a call can be resumed where its ledger is not known. Default: [`Once::PerLedger`], which rejects
    /// it.
    ///
    /// With [`Once::PerInstance`] and common keys, instances without a common ledger can serve one endpoint behind any
    /// load balancer; a repeated request can then run on two of them. Tools marked `read_only` or `idempotent` can be
    /// resumed there in any case.
    pub fn once(mut self, once: Once) -> Self {
        self.durability.once = once;
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
