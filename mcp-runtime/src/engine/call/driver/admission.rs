//! The right of a call to wait for answers.

use std::sync::Arc;

use crate::engine::call::Owner;

/// The right of a call to wait for answers, even after its request has ended. It takes room from quotas. Dropping this
/// value releases the room, unless the quotas count the call by then.
pub(crate) struct Admission {
    pub(crate) quotas: Arc<dyn CallQuotas>,
    pub(crate) owner: Option<Owner>,
    /// The bytes that the quotas count for the call. 0 if they count the call itself by now.
    pub(crate) bytes: usize,
    pub(crate) waiting: WaitingPlace,
}

/// Where a call waits for answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitingPlace {
    /// In a session. The call has no record in the ledger.
    Session,
    /// Parked in this process, because the call cannot be rebuilt elsewhere.
    Parked,
    /// With its client: any process can rebuild the call from its state, or from its state and its record.
    Client,
}

/// The quotas that admit calls. The module `durable` implements them.
pub(crate) trait CallQuotas: Send + Sync {
    /// Stops counting the room of this admission.
    fn release(&self, admission: &Admission);
}

impl Drop for Admission {
    fn drop(&mut self) {
        if self.bytes != 0 {
            self.quotas.release(self);
        }
    }
}
