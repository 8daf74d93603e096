//! An error of the protocol that a layer answers a call with.

use std::time::Duration;

use crate::{error::ToolError, protocol::error::RpcError};

/// Rejects a call with an error of the protocol, instead of a result that the model reads.
///
/// Hosts, proxies and load balancers read it: over HTTP it has a status and, with a time to wait, a `Retry-After` header;
/// in JSON-RPC it has the code -32603, or -32600 if the call is [`forbidden`](Self::forbidden), and that time in
/// `data.retryAfterMs`. Whether the model gets to see the message is the host's choice: return another error if the
/// model should choose another way.
///
/// It has this meaning as the error of a [`Layer`](super::Layer).
///
/// ```
/// use std::time::Duration;
///
/// use mcp_runtime::{Result, layer::Rejection};
///
/// fn check(calls: u32) -> Result<()> {
///     if calls > 100 {
///         return Err(Rejection::too_many_requests("100 calls per minute", Duration::from_secs(30)).into());
///     }
///     Ok(())
/// }
/// # assert_eq!(check(101).unwrap_err().to_string(), "100 calls per minute");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Rejection {
    message: String,
    status: u16,
    retry_after: Option<Duration>,
}

impl Rejection {
    /// The caller has made too many calls, and may call again after a time: 429 over HTTP.
    pub fn too_many_requests(message: impl Into<String>, retry_after: Duration) -> Self {
        Self { message: message.into(), status: 429, retry_after: Some(retry_after) }
    }

    /// The server cannot serve the call now, whoever calls: 503 over HTTP.
    pub fn unavailable(message: impl Into<String>, retry_after: Duration) -> Self {
        Self { message: message.into(), status: 503, retry_after: Some(retry_after) }
    }

    /// The caller may not make this call: 403 over HTTP.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self { message: message.into(), status: 403, retry_after: None }
    }

    /// The error of the protocol, if a layer rejected the call.
    pub(super) fn of(error: &ToolError) -> Option<RpcError> {
        let Self { message, status, retry_after } = error.downcast_ref()?;
        Some(RpcError::rejected(message.clone(), *status, *retry_after))
    }
}
