//! How a server's calls go on after a round: its ledger, and what leads clients back.

use std::sync::Arc;

use super::Server;
#[cfg(not(feature = "seal"))]
use crate::call::continuation::Handles;
#[cfg(feature = "seal")]
use crate::call::{KeyRing, continuation::sealed::Sealed};
use crate::call::{continuation::RequestStates, ledger::Ledger};

/// What the author says of it.
#[derive(Default)]
pub(super) struct Continuing {
    pub(super) ledger: Option<Arc<dyn Ledger>>,
    #[cfg(feature = "seal")]
    keys: Option<KeyRing>,
}

impl Server {
    /// Where the records of calls are kept that last over several requests: what makes each go forward once. Default:
    /// a [`MemoryLedger`](crate::MemoryLedger), which covers this process. Instances that serve one endpoint need one that they share.
    pub fn ledger(mut self, ledger: impl Ledger) -> Self {
        self.continuing.ledger = Some(Arc::new(ledger));
        self
    }

    /// The keys that seal what clients carry between two rounds. Default: those of the variable `MCP_STATE_KEY`; where
    /// there is none, a random key that no other process has.
    #[cfg(feature = "seal")]
    pub fn state_keys(mut self, keys: KeyRing) -> Self {
        self.continuing.keys = Some(keys);
        self
    }
}

impl Continuing {
    #[cfg(not(feature = "seal"))]
    pub(super) fn request_states(self, _problems: &mut Vec<String>) -> RequestStates {
        RequestStates::Handles(Handles::default())
    }

    #[cfg(feature = "seal")]
    pub(super) fn request_states(self, problems: &mut Vec<String>) -> RequestStates {
        let keys = self.keys.map_or_else(KeyRing::from_env, |keys| Ok(Some(keys)));
        let keys = keys.unwrap_or_else(|error| {
            problems.push(format!("the variable `MCP_STATE_KEY`: {error}"));
            None
        });
        RequestStates::Sealed(Sealed::new(keys.unwrap_or_else(KeyRing::random)))
    }
}
