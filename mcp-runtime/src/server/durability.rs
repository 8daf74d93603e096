//! The settings of multi-round calls: ledger, lease, keys.

use std::{sync::Arc, time::Duration};

#[cfg(feature = "seal")]
use super::sealing::StateSettings;
#[cfg(not(feature = "seal"))]
use crate::durable::continuation::Handles as StateSettings;
use crate::{
    call::multi_round::{MultiRound, multi_round},
    durable::{
        Durable, Once,
        ledger::{LEASE, Ledger, quota},
    },
    server::Server,
};

/// What the author has set.
pub(crate) struct Durability {
    pub(super) ledger: Option<Arc<dyn Ledger>>,
    lease: Duration,
    once: Once,
    /// For calls with an idempotency key from their client, which last over several requests though no tool asks.
    pub(super) multi_round: Option<&'static dyn MultiRound>,
    pub(super) states: StateSettings,
}

impl Server {
    /// Where the records of calls are kept that last over several requests: what makes each go forward once. Default:
    /// a [`MemoryLedger`](crate::MemoryLedger), which covers this process. Instances that serve one endpoint need one
    /// that they share; see [`surviving`](crate::surviving).
    pub fn ledger(mut self, ledger: impl Ledger) -> Self {
        self.durability.ledger = Some(Arc::new(ledger));
        self.durability.multi_round = Some(multi_round());
        self
    }

    /// The ledger of a server that names none.
    #[cfg(feature = "testing")]
    pub(crate) fn or_ledger(self, ledger: impl Ledger) -> Self {
        if self.durability.ledger.is_some() { self } else { self.ledger(ledger) }
    }

    /// How long a round belongs to an instance that is not heard of any more. Default: 30 seconds. An instance that is
    /// alive says so three times as often; what another has taken over it cannot change any more. A resolution of
    /// milliseconds.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.durability.lease = lease;
        self
    }

    /// Whether a call may go on where its ledger is not known. Default: [`Once::PerLedger`], which refuses it there.
    ///
    /// With [`Once::PerInstance`] and a common key, instances without a common ledger serve one endpoint behind any
    /// load balancer; a request that is repeated may then run on two of them. Tools marked `read_only` or `idempotent`
    /// are served so in any case.
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
    pub(super) fn complete(self, limits: quota::Limits, problems: &mut Vec<String>) -> Durable {
        let Self { ledger, lease, once, states, .. } = self;
        let is_shared = ledger.as_ref().is_some_and(|ledger| ledger.is_shared());
        Durable::new(ledger, lease, once, limits, states.complete(is_shared, problems))
    }
}
