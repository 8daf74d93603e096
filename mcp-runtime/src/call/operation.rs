//! The kinds of requests that calls answer.

/// The kind of request that a call answers. Every kind runs through the same engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    CallTool,
    GetPrompt,
    Complete,
    /// A subscription to notices, which lasts until its client or the server ends it.
    Listen,
}

impl Operation {
    /// Returns the method of the protocol.
    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::CallTool => "tools/call",
            Self::GetPrompt => "prompts/get",
            Self::Complete => "completion/complete",
            Self::Listen => "subscriptions/listen",
        }
    }

    /// Returns the word for the item that the request names, for messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::CallTool => "tool",
            Self::GetPrompt => "prompt",
            Self::Complete => "completion",
            Self::Listen => "subscription",
        }
    }
}
