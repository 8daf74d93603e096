//! The round that a call waits for.

use super::call_id::CallId;

/// A call, and the number of its next round. The next round gets the answers to the open questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) call: CallId,
    pub(crate) round: u32,
    /// The first round in the call's record. It is 0 if the client sent an idempotency key, otherwise 1.
    pub(crate) first: u32,
}

impl Place {
    /// Whether the call has an idempotency key from its client.
    pub(crate) fn is_keyed(self) -> bool {
        self.first == 0
    }
}
