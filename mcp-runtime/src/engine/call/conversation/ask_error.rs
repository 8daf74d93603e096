//! The errors of questions to the client.

use std::time::Duration;

use crate::wire::protocol::{
    capability::{Capabilities, Capability},
    error::{RpcError, USER_REJECTED},
    revision::Revision,
};

/// Why a question to the client or to a model failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The client did not declare this capability.
    #[error("the client does not support {}", Capabilities::of(&[*.0]))]
    Capability(Capability),
    /// The client's revision does not support a field of the form.
    #[error(
        "the client uses MCP {revision}, which does not support several choices in one field (`{field}`); ask for one \
             choice, or ask yes or no for each choice"
    )]
    Unsupported {
        /// The field.
        field: &'static str,
        /// The client's revision.
        revision: Revision,
    },
    /// The question is invalid: it has no choices, a default that does not fit, or a relative URL.
    #[error("this question cannot be asked: {0}")]
    Question(String),
    /// No answer came in time.
    #[error("no answer within {0:?}")]
    Timeout(Duration),
    /// The replayed call asked a different question under the same key.
    #[error(
        "the {part} of the question `{key}` changed when the call was resumed; a question must not \
             depend on a clock, a random number or data that changes: compute such values in `before`, or use \
             `ctx.now()`, `ctx.random()` or `ctx.step(…)`"
    )]
    Drifted {
        /// The question's key.
        key: String,
        /// The part that differs: the form, the message, or the choices and defaults.
        part: &'static str,
    },
    /// The client sent three requests in a row without an answer.
    #[error("the client was asked three times and sent no answer")]
    Unanswered,
    /// The user declined.
    #[error("the user declined")]
    Declined,
    /// The user closed the form without an answer.
    #[error("the user cancelled")]
    Cancelled,
    /// The client disconnected.
    #[error("the client disconnected")]
    Disconnected,
    /// The client answered with a JSON-RPC error.
    #[error("the client refused: {message} (code {code})")]
    Refused {
        /// The code of the JSON-RPC error.
        code: i64,
        /// The message of the JSON-RPC error.
        message: String,
    },
    /// The server's own [provider](crate::sample::SamplingProvider) failed. The text is the short message of the
    /// [`ProviderError`](crate::sample::ProviderError); the full error is in the server's log.
    #[error("the model cannot be asked: {0}")]
    Provider(String),
    /// A [branch](crate::Ctx::branch) reached one of its limits.
    #[error(transparent)]
    Limit(BranchLimit),
    /// The client's answer does not match the question.
    #[error("the answer does not fit:{gap}{reason}", gap = gap(.0), reason = .0)]
    Invalid(String),
}

impl AskError {
    /// Returns whether the user declined or cancelled the question.
    pub(crate) fn is_of_user(&self) -> bool {
        match self {
            Self::Declined | Self::Cancelled => true,
            Self::Refused { code, .. } => *code == i64::from(USER_REJECTED),
            _ => false,
        }
    }

    /// Converts an error about a missing capability to a protocol error. Returns `None` for other errors. A client
    /// in a session must get a tool error instead, because its revision has no code for this error.
    pub(crate) fn missing_capability(&self, described: &str) -> Option<RpcError> {
        match self {
            Self::Capability(capability) => {
                Some(RpcError::missing_capability(described, Capabilities::of(&[*capability])))
            }
            _ => None,
        }
    }
}

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

/// Returns the character that separates a message from its reason: a line feed if the reason is a list, otherwise a
/// space.
pub(crate) fn gap(reason: &str) -> char {
    if reason.starts_with("- ") { '\n' } else { ' ' }
}
