//! The settings of sealed request states: keys and size.

use crate::engine::durable::{
    continuation::{RequestStates, sealed::Sealed},
    seal::KeyRing,
};

/// The author's settings for sealed request states. `None` stands for the default.
#[derive(Default)]
pub(crate) struct StateSettings {
    pub(super) keys: Option<KeyRing>,
    pub(super) state_size: Option<usize>,
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
        Sealed::new(keys, self.state_size).into()
    }
}

/// Warns the operator that a shared ledger has no effect if the keys are random.
fn warn_of_random_keys() {
    crate::report!(
        "the ledger is shared, but the state keys are random: an open call cannot be resumed after a restart or by \
         another instance. Set `MCP_STATE_KEY` to the output of `openssl rand -base64 32`, with the same value for all \
         instances, or set the keys with `Server::state_keys`"
    );
}
