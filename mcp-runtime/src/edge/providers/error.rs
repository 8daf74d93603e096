//! Configuration errors of a model.

/// A configuration error of a [`Model`](super::Model). [`Server::build`](crate::Server::build) or
/// [`Model::from_env`](super::Model::from_env) reports it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// `MCP_MODEL` does not name a model.
    #[error(
        "`MCP_MODEL` is `{0}`, which is not a model; write `openai:NAME`, `anthropic:NAME`, `ollama:NAME` or \
         `compatible:NAME`"
    )]
    Unknown(String),
    /// `MCP_MODEL` names a compatible server's model, but `MCP_MODEL_URL` is not set.
    #[error("`MCP_MODEL_URL` is not set; a `compatible:` model needs a URL, such as `http://127.0.0.1:8000/v1`")]
    MissingUrl,
    /// The URL is invalid. It is not shown, because it may contain a password.
    #[error("the URL of the model `{model}` {problem}")]
    Url {
        /// The model's name.
        model: String,
        /// What is wrong with the URL.
        problem: &'static str,
    },
    /// The API requires a key.
    #[error("the model `{model}` has no key; set `{variable}`, or call `.api_key(…)`")]
    MissingKey {
        /// The model's name.
        model: String,
        /// The environment variable that usually holds the key.
        variable: &'static str,
    },
    /// The key contains line breaks, spaces, or characters other than ASCII.
    #[error(
        "the key of the model `{model}` contains invalid characters; write it in ASCII, without line breaks and spaces"
    )]
    Key {
        /// The model's name.
        model: String,
    },
    /// The HTTP client cannot be created, for example because the system has no certificates.
    #[error("the model `{model}` cannot be reached: the HTTP client failed: {problem}")]
    Connections {
        /// The model's name.
        model: String,
        /// The error of the HTTP client.
        problem: String,
    },
}
