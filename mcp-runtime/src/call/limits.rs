//! How long calls are kept that wait for their clients, and what limits a branch of a call has.

use std::time::Duration;

/// How long a client may take for an answer.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(60 * 60);

/// How long a future is kept.
pub(crate) const FUTURE_KEPT: Duration = Duration::from_secs(15 * 60);

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
