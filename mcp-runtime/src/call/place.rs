//! Where a call stands between two rounds.

use super::call_id::CallId;

/// The round of a call that takes the answers to what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) call: CallId,
    pub(crate) round: u32,
    /// The round with which its record begins: 1, or 0 where its client gave the call a key.
    pub(crate) first: u32,
}

impl Place {
    /// Whether the call has an idempotency key from its client.
    pub(crate) fn is_keyed(self) -> bool {
        self.first == 0
    }
}
