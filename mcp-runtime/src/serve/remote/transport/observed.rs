//! What a client can see of its HTTP requests and responses, beside the messages in their bodies.

use http::{HeaderMap, StatusCode};

/// Sees the HTTP requests and responses of a connection.
pub(crate) trait HttpObserver: Send + Sync {
    /// The request with this message is about to leave.
    fn sent(&self, url: &str, headers: &HeaderMap);

    /// The response to a request has begun. `request` is the id of the JSON-RPC request, as JSON text.
    fn answered(&self, request: &str, status: StatusCode, headers: &HeaderMap);
}
