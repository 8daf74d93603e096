//! Errors of guaranteed replies and of loops.

use super::reply::ParseError;
use crate::engine::call::{AskError, ask_error::gap};

/// The error of `sample_schema`, `sample_tools` or `sample_loop`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The model did not answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The model answered, but never with a valid reply.
    #[error(transparent)]
    Validation(#[from] SampleValidation),
}

/// The model never gave a valid reply within the allowed attempts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{method}` got no valid reply (attempts: {attempts}); last error:{gap}{last}",
    gap = gap(&last.message)
)]
#[non_exhaustive]
pub struct SampleValidation {
    /// The method: `sample_schema`, `sample_tools` or `sample_loop`.
    pub method: &'static str,
    /// How many times the model was asked.
    pub attempts: u32,
    /// The error of the model's last reply.
    pub last: ParseError,
}
