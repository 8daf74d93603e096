//! The protocol error with which a layer rejects a call.

use std::time::Duration;

use crate::{base::error::ToolError, wire::protocol::error::RpcError};

/// Rejects a call with a protocol error, instead of a result that the model reads.
///
/// Hosts, proxies and load balancers read this error. Over HTTP it has a status and, if there is a time to wait, a
/// `Retry-After` header. In JSON-RPC it has the code -32603, or -32600 if the call is [`forbidden`](Self::forbidden).
/// `data.retryAfterMs` contains the time to wait. The host decides whether the model sees the message. If the model
/// should read the message and react to it, return an error of another type.
///
/// A `Rejection` has this effect only if a [`Layer`](super::Layer) returns it.
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
    /// Rejects a caller that has made too many calls and can retry later. Over HTTP, the status is 429.
    pub fn too_many_requests(message: impl Into<String>, retry_after: Duration) -> Self {
        Self { message: message.into(), status: 429, retry_after: Some(retry_after) }
    }

    /// Rejects a call because the server cannot serve any caller now. Over HTTP, the status is 503.
    pub fn unavailable(message: impl Into<String>, retry_after: Duration) -> Self {
        Self { message: message.into(), status: 503, retry_after: Some(retry_after) }
    }

    /// Rejects a caller that is not allowed to make this call. Over HTTP, the status is 403.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self { message: message.into(), status: 403, retry_after: None }
    }

    /// Returns the protocol error if `error` is a [`Rejection`].
    pub(crate) fn of(error: &ToolError) -> Option<RpcError> {
        let Self { message, status, retry_after } = error.downcast_ref()?;
        Some(RpcError::rejected(message.clone(), *status, *retry_after))
    }
}
