//! The settings for multi-round calls: ledger, lease, keys.

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

/// The settings of the author.
pub(crate) struct Durability {
    pub(super) ledger: Option<Arc<dyn Ledger>>,
    lease: Duration,
    once: Once,
    /// Set with a ledger, for calls with an idempotency key: they last over several requests even if no tool asks.
    pub(super) multi_round: Option<&'static dyn MultiRound>,
    #[cfg(feature = "seal")]
    keys: Option<KeyRing>,
    #[cfg(feature = "seal")]
    state_size: Option<usize>,
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

    /// Sets the largest state that a client carries between two rounds, in bytes. Default: 32 KiB. A longer journal is
    /// stored in the ledger, sealed too.
    #[cfg(feature = "seal")]
    pub fn max_state_size(mut self, bytes: usize) -> Self {
        self.durability.state_size = Some(bytes);
        self
    }

    /// Sets the keys that seal the states of clients. Default: the keys in `MCP_STATE_KEY`; without that variable a
    /// random key, which no other process has.
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
