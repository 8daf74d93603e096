//! What a call needs of the ledger: the right to lead its round, and why it may lose that.

use super::stored::Stored;
use std::{error::Error, pin::Pin};

/// The right to lead a round to its end, as its call sees it: see [`ledger::Claim`], which not every program has.
pub(crate) trait Hold: Send + Sync {
    /// Marks that what must not run twice begins.
    fn hold_begin(&self) -> Transition<'_, ()>;

    /// Marks that a step begins, unless it has begun or is done. `again`: it may begin twice.
    fn hold_begin_step<'a>(&'a self, key: &'a str, again: bool) -> Transition<'a, StepTurn>;

    /// Records what a step gave.
    fn hold_end_step<'a>(&'a self, key: &'a str, value: &'a [u8]) -> Transition<'a, ()>;
}

/// A change of the call's record.
pub(crate) type Transition<'a, T> = Pin<Box<dyn Future<Output = Result<T, ClaimError>> + Send + 'a>>;

/// Why a transition was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClaimError {
    /// Another instance holds the round, and its reply is the call's. A retry gets that reply.
    #[error("another instance has taken this call over")]
    Lost,
    /// The steps of the call would take more room than a record has.
    #[error("the steps of this call are too many")]
    TooManySteps,
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What the record says of a step that is about to begin.
#[derive(Debug, PartialEq)]
pub(crate) enum StepTurn {
    /// It is marked begun: run it.
    Run,
    /// It was done, and gave this.
    Done(Stored),
    /// It was done; what it gave was too large to keep.
    NotKept,
    /// It was begun by a process that is gone.
    UnknownOutcome,
}

/// Why an operation of a [`Ledger`](crate::Ledger) did not succeed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// No room for a new entry, or for a larger one.
    #[error("the ledger is full: it takes new calls again when older ones have expired")]
    Full,
    /// The store itself has no space for anything, say on a full disk. Nothing is written. An operator must act: the server
    /// begins no call, and is not ready, until an entry can be written again.
    #[error("the ledger is out of space")]
    OutOfSpace(#[source] Box<dyn Error + Send + Sync>),
    /// The store is not the one whose id the key names, or has lost entries since.
    #[error("the ledger is not the one that knows this call: it was emptied or replaced")]
    Replaced,
    /// Anything else. The operation may have been done all the same.
    #[error("the ledger failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl LedgerError {
    /// The error for whatever else went wrong.
    ///
    /// ```
    /// use mcp_runtime::LedgerError;
    ///
    /// let error = LedgerError::failed("no answer within 2 s");
    /// assert_eq!(error.to_string(), "the ledger failed");
    /// ```
    pub fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }

    /// Whether something smaller might have been written.
    pub(crate) const fn is_for_size(&self) -> bool {
        matches!(self, Self::Full | Self::OutOfSpace(_))
    }
}
