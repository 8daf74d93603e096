//! Converts outputs of handlers into results of a model's tool calls.

use serde_json::Value;

use crate::{
    base::error::ToolError,
    engine::tool::ToolOutput,
    wire::protocol::{
        result::CallToolResult,
        sampling::{ToolResult, ToolUse},
    },
};

impl ToolUse {
    /// Creates the result of this call from any [`ToolOutput`]. If the output is an error, the result contains the
    /// error's message for the model.
    pub fn result(&self, output: impl ToolOutput) -> ToolResult {
        output.into_result().map_or_else(|error| self.failed(&error), |result| self.gave(result))
    }

    /// Creates an error result of this call.
    pub fn error(&self, message: impl Into<String>) -> ToolResult {
        self.gave(CallToolResult::error(message))
    }

    fn failed(&self, error: &ToolError) -> ToolResult {
        self.error(error.chain())
    }

    fn gave(&self, result: CallToolResult) -> ToolResult {
        let CallToolResult { content, structured, is_error, .. } = result;
        // Before 2026-07-28 only objects are allowed; the text contains the same value.
        let structured = structured.and_then(|json| serde_json::from_str(json.get()).ok()).filter(Value::is_object);
        ToolResult { tool_use_id: self.id.clone(), content, structured_content: structured, is_error }
    }
}
