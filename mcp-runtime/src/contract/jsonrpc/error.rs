//! Errors of JSON-RPC.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The code of a body that is not JSON.
pub(super) const PARSE_ERROR: i64 = -32700;
/// The code of JSON that is not a request.
pub(super) const INVALID_REQUEST: i64 = -32600;
/// The code of a method that does not exist.
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
/// The code of params that do not fit.
pub(super) const INVALID_PARAMS: i64 = -32602;
/// The code of a fault of the service.
pub(super) const INTERNAL_ERROR: i64 = -32603;
/// The code of a method that failed: the first of those that are left to servers.
pub(super) const METHOD_FAILED: i64 = -32000;

/// The `error` member of a response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorObject {
    /// The code. Those from -32768 to -32000 are reserved by the specification.
    pub code: i64,
    /// A short description, one sentence.
    pub message: String,
    /// Further information for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    /// Creates an error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Sets the data.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }

    /// Returns the response to a request with this id, which is JSON text.
    pub(super) fn response(&self, id: &str) -> String {
        // A code and texts are always JSON.
        let error = serde_json::to_string(self).unwrap_or_default();
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
    }
}
