//! Errors of JSON-RPC.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The `error` member of a response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorObject {
    /// The code. The specification reserves the codes from -32768 to -32000.
    pub code: i32,
    /// A short description, one sentence.
    pub message: String,
    /// Further information for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    /// Creates an error without data.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Sets the data.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }

    /// Returns the response to a request with this id. The parameter `id` is JSON text.
    pub(super) fn response(&self, id: &str) -> String {
        // A code, a text and JSON data can always be written as JSON.
        let error = serde_json::to_string(self).unwrap_or_default();
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
    }
}
