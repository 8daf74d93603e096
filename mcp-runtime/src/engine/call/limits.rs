//! Time limits for calls that wait, and the limits of branches.

use std::time::Duration;

/// The default time limit for a client's answer.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(60 * 60);

/// How long the server keeps the future of a call that waits for the client's next request.
pub(crate) const FUTURE_KEPT: Duration = Duration::from_secs(15 * 60);

/// The limit that a [branch](crate::Ctx::branch) reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BranchLimit {
    /// The maximum number of branches nested in each other.
    #[error("the branches have reached their limit of {0} nested branches")]
    Depth(u32),
    /// The maximum number of questions.
    #[error("the branch has reached its limit of {0} questions")]
    Asks(u32),
    /// The maximum number of output tokens.
    #[error("the branch has reached its limit of {0} output tokens")]
    Tokens(u64),
    /// The maximum running time.
    #[error("the branch has reached its limit of {0:?} of running time")]
    Time(Duration),
}
