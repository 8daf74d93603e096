//! The settings of request states that are sealed: keys and size.

use std::sync::Arc;

use super::Server;
use crate::durable::{
    continuation::{RequestStates, sealed::Sealed},
    seal::KeyRing,
};

/// What the author has set.
#[derive(Default)]
pub(crate) struct StateSettings {
    keys: Option<KeyRing>,
    state_size: Option<usize>,
}

impl Server {
    /// How many bytes a client is asked to carry between two rounds, at most. Default: 32 KiB. A longer journal stays
    /// in the ledger, sealed alike.
    pub fn max_state_size(mut self, bytes: usize) -> Self {
        self.durability.states.state_size = Some(bytes);
        self
    }

    /// The keys that seal what clients carry between two rounds. Default: those of the variable `MCP_STATE_KEY`; where
    /// there is none, a random key that no other process has.
    pub fn state_keys(mut self, keys: KeyRing) -> Self {
        self.durability.states.keys = Some(keys);
        self
    }
}

impl StateSettings {
    pub(super) fn complete(self, is_ledger_shared: bool, problems: &mut Vec<String>) -> RequestStates {
        let keys = match self.keys.map_or_else(KeyRing::from_env, |keys| Ok(Some(keys))) {
            Ok(Some(keys)) => keys,
            Ok(None) => {
                if is_ledger_shared {
                    warn_of_random_keys();
                }
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

/// Warns the operator that random keys make a shared ledger useless.
fn warn_of_random_keys() {
    crate::report!(
        "the ledger is shared, but the keys are random: no open call goes on after a restart, or in another instance. \
         Set `MCP_STATE_KEY` to what `openssl rand -base64 32` gives, the same for all instances, or name the keys \
         with `.state_keys(…)` at the server"
    );
}
