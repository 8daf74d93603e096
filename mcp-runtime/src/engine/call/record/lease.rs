//! The interface through which a call uses the lease of its round, and the errors of the ledger.

use super::{entry_slice::EntrySlice, ledger_time::LedgerTime};
use std::{error::Error, pin::Pin};

/// The right to run a round. [`Claim`](crate::engine::durable::ledger::Claim) implements this trait. The trait keeps `Claim`
/// out of programs that do not use leases.
pub(crate) trait RoundLease: Send + Sync {
    /// Returns the time of the ledger that has the call's record.
    fn now(&self) -> LedgerTime;

    /// Marks the beginning of `after`, which must not run twice.
    fn hold_begin(&self) -> Transition<'_, ()>;

    /// Marks the beginning of a step, unless the step has already begun or completed. `again` states whether the step
    /// is allowed to run twice.
    fn hold_begin_step<'a>(&'a self, key: &'a str, again: bool) -> Transition<'a, StepTurn>;

    /// Records the output of a step.
    fn hold_end_step<'a>(&'a self, key: &'a str, value: &'a [u8]) -> Transition<'a, ()>;
}

/// A future that changes the call's record.
pub(crate) type Transition<'a, T> = Pin<Box<dyn Future<Output = Result<T, ClaimError>> + Send + 'a>>;

/// Why a change of the call's record failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClaimError {
    /// Another instance holds the round and will reply to the call. A retry gets that reply.
    #[error("another instance has taken over this call")]
    Lost,
    /// The steps of the call do not fit into a record.
    #[error("the recorded steps of this call exceed 256 KiB")]
    TooManySteps,
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// The recorded state of a step that a call is about to begin.
#[derive(Debug, PartialEq)]
pub(crate) enum StepTurn {
    /// The step had not begun before. It is now recorded as begun, and the caller must run it.
    Run,
    /// The step has completed. This value holds its output.
    Done(EntrySlice),
    /// The step has completed, but its output was too large to record.
    NotKept,
    /// A process began the step and then stopped running. Whether the step took effect is unknown.
    UnknownOutcome,
}

/// Why an operation of a [`Ledger`](crate::store::Ledger) failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The ledger has no room for a new or a larger entry.
    #[error("the ledger is full: it accepts new calls again when older ones expire")]
    Full,
    /// The store has no space, for example on a full disk. Nothing is written. An operator must act: until an entry can
    /// be written again, the server begins no call and is not ready.
    #[error("the ledger is out of space")]
    OutOfSpace(#[source] Box<dyn Error + Send + Sync>),
    /// The id of the store differs from the id in the entry's key, or the store has lost entries.
    #[error("the ledger does not know this call: the ledger was emptied or replaced")]
    Replaced,
    /// Any other failure. The operation may still have taken effect.
    #[error("the ledger failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl LedgerError {
    /// Creates a [`Failed`](Self::Failed) error.
    ///
    /// ```
    /// use mcp_runtime::store::LedgerError;
    ///
    /// let error = LedgerError::failed("no answer within 2 s");
    /// assert_eq!(error.to_string(), "the ledger failed");
    /// ```
    pub fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }

    /// Returns whether the operation failed because its entry was too large for the free space. A smaller entry may
    /// fit.
    pub(crate) const fn is_for_size(&self) -> bool {
        matches!(self, Self::Full | Self::OutOfSpace(_))
    }
}
