//! Asking the other side.

use std::time::Duration;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;

use super::{Ctx, Talk, conversation::Asking};
use crate::{
    tool::Capability,
    wire::{capability::Capabilities, error::RpcError},
};

/// Why an ask has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The client did not say that it can do this.
    #[error("the client does not support {}", Capabilities::of(&[*.0]))]
    Capability(Capability),
    /// The client did not answer in time.
    #[error("the client did not answer within {0:?}")]
    Timeout(Duration),
    /// The client is gone.
    #[error("the client is gone")]
    Disconnected,
    /// The client answered with an error.
    #[error("the client refused: {message} (code {code})")]
    Refused {
        /// The code of the JSON-RPC error.
        code: i64,
        /// Its message.
        message: String,
    },
    /// The client's answer is not what was asked for.
    #[error("the client's answer cannot be read: {0}")]
    Invalid(String),
}

/// No person is asked for roots, so a client that has not answered by then never will.
const ROOTS_WITHIN: Duration = Duration::from_secs(60);

/// A folder or file the client works in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: a `file:` URI.
    pub uri: String,
    /// What a person calls it.
    pub name: Option<String>,
}

impl<S> Ctx<S, Talk> {
    /// Asks the client which folders it works in.
    ///
    /// The wire form is the client's: a request in the handshake revisions, a round of its own since 2026-07-28. There
    /// roots are deprecated: prefer a parameter that names the folder.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// /// Names the folders that are open.
    /// #[mcp_tool(read_only, requires(roots))]
    /// async fn open_folders(ctx: &Ctx) -> Result<String> {
    ///     let roots = ctx.roots().await?;
    ///     Ok(roots.iter().map(|root| root.uri.as_str()).collect::<Vec<_>>().join("\n"))
    /// }
    /// ```
    ///
    /// # Errors
    /// The client did not declare `roots`, refused, is gone, did not answer within a minute, or gave an answer that
    /// cannot be read.
    pub async fn roots(&self) -> Result<Vec<Root>, AskError> {
        #[derive(Deserialize)]
        struct ListRootsResult {
            roots: Vec<Root>,
        }
        let call = self.state();
        if !call.client().supports(Capability::Roots) {
            return Err(AskError::Capability(Capability::Roots));
        }
        let asking = Asking::new(call, "roots", "roots/list", json!({}), Capability::Roots);
        let answer =
            tokio::time::timeout(ROOTS_WITHIN, asking).await.map_err(|_| AskError::Timeout(ROOTS_WITHIN))??;
        read::<ListRootsResult>(&answer).map(|result| result.roots)
    }
}

impl AskError {
    /// The error of a request that cannot be served for want of an ability of its client: a code of its own in the
    /// modern era, a tool's error like any other before.
    pub(crate) fn missing_capability(&self, tool: &str) -> Option<RpcError> {
        match self {
            Self::Capability(capability) => Some(RpcError::missing_capability(tool, Capabilities::of(&[*capability]))),
            _ => None,
        }
    }
}

fn read<T: DeserializeOwned>(answer: &str) -> Result<T, AskError> {
    serde_json::from_str(answer).map_err(|error| AskError::Invalid(error.to_string()))
}
