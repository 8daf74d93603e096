//! Why sampling that is guaranteed has no result.

use std::time::Duration;

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

/// A limit of a [branch](crate::Ctx::branch) that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BranchLimit {
    /// So many branches stand within each other.
    #[error("branches may stand {0} deep within each other")]
    Depth(u32),
    /// It has asked so often.
    #[error("the branch may ask {0} times")]
    Asks(u32),
    /// The model has written so much for it.
    #[error("the branch may have {0} tokens written")]
    Tokens(u64),
    /// It has taken so long.
    #[error("the branch may take {0:?}")]
    Time(Duration),
}
