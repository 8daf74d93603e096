//! What is wrong with a model before it is asked anything.

/// Why a [`Model`](super::Model) cannot be asked. [`Server::build`](crate::Server::build) reports it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The variable `MCP_MODEL` names no model.
    #[error(
        "`MCP_MODEL` is `{0}`, which names no model; write `openai:NAME`, `anthropic:NAME`, `ollama:NAME` or \
         `compatible:NAME`"
    )]
    Unknown(String),
    /// Nobody says where a compatible server is.
    #[error("`MCP_MODEL` names a compatible server's model; set `MCP_MODEL_URL`, such as `http://127.0.0.1:8000/v1`")]
    MissingUrl,
    /// The URL is none that could be asked. It is not shown: there may be a password in it.
    #[error("the URL of the model `{model}` {problem}")]
    Url {
        /// The model's name.
        model: String,
        /// What is wrong with the URL.
        problem: &'static str,
    },
    /// It needs a key.
    #[error("the model `{model}` has no key; set `{variable}`, or give one by `.api_key(…)`")]
    MissingKey {
        /// The model's name.
        model: String,
        /// What it is usually taken from.
        variable: &'static str,
    },
    /// The key is none: line breaks, spaces within, other letters than ASCII.
    #[error(
        "the key of the model `{model}` has characters that no key has; set it anew, without line breaks and spaces"
    )]
    Key {
        /// The model's name.
        model: String,
    },
    /// There can be no connections, such as where the system has no certificates.
    #[error("the model `{model}` cannot be reached from here: {problem}")]
    Connections {
        /// The model's name.
        model: String,
        /// Why, as the system says.
        problem: String,
    },
}
