//! Why a session refuses a request of the page.

/// A refusal. Its text says what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionError {
    #[error("{0}")]
    NotFound(String),
    /// The call or question is in another state.
    #[error("{0}")]
    Conflict(String),
    #[error("{0}")]
    Invalid(String),
    /// The session shows a recording, or the source cannot do this.
    #[error("{0}")]
    NotPossible(String),
    /// The server has failed, or cannot be reached.
    #[error("{0}")]
    Server(String),
    #[error("{0}")]
    TooMany(String),
}

impl SessionError {
    /// The answer of a model is wanted, and there is none.
    pub(crate) fn no_model() -> Self {
        let advice = "set `MCP_MODEL`, and enable the feature `providers`";
        Self::NotPossible(format!("the environment names no model; {advice}"))
    }
}
