//! Warnings for the operator when a server starts with unsuitable settings.

use crate::server::durability::Durability;

/// Warns if the keys are random although the ledger is shared.
pub(super) fn warn_of_random_keys(durability: &Durability) {
    if durability.ledger.as_ref().is_some_and(|ledger| ledger.is_shared()) {
        crate::report!(
            "the ledger is shared, but the keys are random: open calls cannot be resumed after a restart or on another \
             instance. Set `MCP_STATE_KEY` to the output of `openssl rand -base64 32`, the same on all instances, or \
             set the keys with `.state_keys(…)`"
        );
    }
}
