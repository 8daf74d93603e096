//! Why sampling that is guaranteed has no result.

use super::reply::ParseError;
use crate::call::{AskError, ask::gap};

/// Why sampling that is guaranteed, or goes on for several turns, has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// Nobody answered.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The model answered, and never what was asked for.
    #[error(transparent)]
    Validation(#[from] SampleValidation),
}

/// A model was asked as often as was allowed, and never gave what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{method}` had no fitting reply (attempts: {attempts}); the last:{gap}{last}",
    gap = gap(&last.message)
)]
#[non_exhaustive]
pub struct SampleValidation {
    /// What was called: `sample_schema`, `sample_tools` or `sample_loop`.
    pub method: &'static str,
    /// How often the model was asked.
    pub attempts: u32,
    /// What was wrong with its last reply.
    pub last: ParseError,
}
