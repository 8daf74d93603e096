//! Why a step has no output.

use super::lease::{ClaimError, LedgerError};

/// Why a step has no output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A process began the step and then stopped running, so the step may have taken effect. The step does not run
    /// again unless it is [`idempotent`](crate::call::Step::idempotent).
    #[error(
        "the step `{step}` was begun before, and its outcome is unknown: it may have taken effect; its idempotency key \
         is {idempotency_key}"
    )]
    UnknownOutcome {
        /// The key of the step: its name, with a number if the name is repeated.
        step: String,
        /// The value of [`crate::Ctx::idempotency_key`] for the step. Use it to look up the step at the called service.
        idempotency_key: String,
    },
    /// The step completed, but its output was too large to record.
    #[error("the step `{0}` completed, but its output was too large to record")]
    NotKept(String),
    /// The output cannot be written as JSON, or cannot be read because its type has changed.
    #[error("the output of the step `{step}` cannot be recorded as JSON: {reason}")]
    Unreadable {
        /// The key of the step: its name, with a number if the name is repeated.
        step: String,
        /// The JSON error.
        reason: String,
    },
    /// The recorded steps of the call do not fit into its record, which holds 256 KiB.
    #[error("the recorded steps of this call exceed 256 KiB")]
    TooMany,
    /// The ledger failed. The step was not begun, or its output was not recorded.
    #[error("the call cannot continue at the moment")]
    Unavailable(#[source] LedgerError),
    /// Another instance runs the call now.
    #[error("another instance has taken over this call")]
    TakenOver,
}

impl From<ClaimError> for StepError {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::Lost => Self::TakenOver,
            ClaimError::TooManySteps => Self::TooMany,
            ClaimError::Ledger(error) => Self::Unavailable(error),
        }
    }
}
