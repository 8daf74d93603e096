//! JSON-RPC errors. The one file that knows their codes.

use serde_json::{Value, json};

use super::{capability::Capabilities, revision::Revision};

/// The `error` member of a response.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: i32,
    pub(crate) message: String,
    pub(crate) data: Option<Box<Value>>,
}

impl RpcError {
    /// The line is no JSON.
    pub(crate) fn parse(reason: impl Into<String>) -> Self {
        Self::new(-32700, reason)
    }

    /// JSON, but no message of JSON-RPC 2.0.
    pub(crate) fn invalid_request(reason: impl Into<String>) -> Self {
        Self::new(-32600, reason)
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self::new(-32601, format!("Method not found: {}", shortened(method)))
    }

    pub(crate) fn invalid_params(reason: impl Into<String>) -> Self {
        Self::new(-32602, reason)
    }

    pub(crate) fn unknown_tool(name: &str) -> Self {
        Self::new(-32602, format!("Unknown tool: {}", shortened(name)))
    }

    pub(crate) fn internal(reason: impl Into<String>) -> Self {
        Self::new(-32603, reason)
    }

    /// A request that names no revision on a connection that has none yet.
    pub(crate) fn no_revision() -> Self {
        Self {
            data: Some(Box::new(json!({ "supported": supported_revisions() }))),
            ..Self::new(
                -32602,
                "send `initialize` first, or name the protocol version in \
                 `_meta[\"io.modelcontextprotocol/protocolVersion\"]`",
            )
        }
    }

    pub(crate) fn unsupported_revision(requested: &str) -> Self {
        Self {
            data: Some(Box::new(json!({ "supported": supported_revisions(), "requested": requested }))),
            ..Self::new(-32022, "Unsupported protocol version")
        }
    }

    pub(crate) fn missing_capability(tool: &str, missing: Capabilities) -> Self {
        Self {
            data: Some(Box::new(json!({ "requiredCapabilities": missing.to_json() }))),
            ..Self::new(-32021, format!("The tool `{tool}` needs a client that supports {missing}"))
        }
    }

    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

/// The revisions a server speaks, newest first.
pub(crate) fn supported_revisions() -> Vec<&'static str> {
    Revision::ALL.iter().rev().map(|revision| revision.as_str()).collect()
}

/// What a stranger sent is repeated only in part.
pub(crate) fn shortened(text: &str) -> &str {
    text.char_indices().nth(128).map_or(text, |(end, _)| &text[..end])
}
