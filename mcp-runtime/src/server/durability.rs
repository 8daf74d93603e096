//! The settings of multi-round calls: ledger, lease, keys.

use std::{sync::Arc, time::Duration};

#[cfg(not(feature = "seal"))]
use crate::durable::continuation::Handles;
#[cfg(feature = "seal")]
use crate::server::warnings::warn_of_random_keys;
use crate::{
    call::multi_round::{MultiRound, multi_round},
    durable::{
        Durable, Once,
        continuation::RequestStates,
        ledger::{LEASE, Ledger, quota},
    },
    server::Server,
};
#[cfg(feature = "seal")]
use crate::{durable::continuation::sealed::Sealed, durable::seal::KeyRing};

/// What the author has set.
pub(crate) struct Durability {
    pub(super) ledger: Option<Arc<dyn Ledger>>,
    lease: Duration,
    once: Once,
    /// For calls with an idempotency key from their client, which last over several requests though no tool asks.
    pub(super) multi_round: Option<&'static dyn MultiRound>,
    #[cfg(feature = "seal")]
    keys: Option<KeyRing>,
    #[cfg(feature = "seal")]
    state_size: Option<usize>,
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

    /// How many bytes a client is asked to carry between two rounds, at most. Default: 32 KiB. A longer journal stays
    /// in the ledger, sealed alike.
    #[cfg(feature = "seal")]
    pub fn max_state_size(mut self, bytes: usize) -> Self {
        self.durability.state_size = Some(bytes);
        self
    }

    /// The keys that seal what clients carry between two rounds. Default: those of the variable `MCP_STATE_KEY`; where
    /// there is none, a random key that no other process has.
    #[cfg(feature = "seal")]
    pub fn state_keys(mut self, keys: KeyRing) -> Self {
        self.durability.keys = Some(keys);
        self
    }
}

impl Default for Durability {
    fn default() -> Self {
        Self {
            ledger: None,
            lease: LEASE,
            once: Once::default(),
            multi_round: None,
            #[cfg(feature = "seal")]
            keys: None,
            #[cfg(feature = "seal")]
            state_size: None,
        }
    }
}

impl Durability {
    pub(super) fn complete(self, limits: quota::Limits, problems: &mut Vec<String>) -> Durable {
        let (ledger, lease, once) = (self.ledger.clone(), self.lease, self.once);
        Durable::new(ledger, lease, once, limits, self.request_states(problems))
    }

    #[cfg(not(feature = "seal"))]
    fn request_states(self, _problems: &mut Vec<String>) -> RequestStates {
        RequestStates::Handles(Handles::default())
    }

    #[cfg(feature = "seal")]
    fn request_states(mut self, problems: &mut Vec<String>) -> RequestStates {
        let keys = match self.keys.take().map_or_else(KeyRing::from_env, |keys| Ok(Some(keys))) {
            Ok(Some(keys)) => keys,
            Ok(None) => {
                warn_of_random_keys(&self);
                KeyRing::random()
            }
            Err(error) => {
                problems.push(error.to_string());
                KeyRing::random()
            }
        };
        RequestStates::Sealed(Arc::new(Sealed::new(keys, self.state_size)))
    }
}
