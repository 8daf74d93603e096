//! What an operator is told when a server begins: it works, but most likely not as meant.

use crate::server::durability::Durability;

/// Tells of keys that are of no use where others see the ledger.
pub(super) fn warn_of_random_keys(durability: &Durability) {
    if durability.ledger.as_ref().is_some_and(|ledger| ledger.is_shared()) {
        crate::report!(
            "the ledger is shared, but the keys are random: no open call goes on after a restart, or in another instance. \
             Set `MCP_STATE_KEY` to what `openssl rand -base64 32` gives, the same for all instances, or name the keys \
             with `.state_keys(…)` at the server"
        );
    }
}
