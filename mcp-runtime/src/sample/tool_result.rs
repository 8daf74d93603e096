//! What a tool may return, as the result of a call that a model made.

use serde_json::Value;

use crate::{
    error::ToolError,
    protocol::{
        result::CallToolResult,
        sampling::{ToolResult, ToolUse},
    },
    tool::ToolOutput,
};

impl ToolUse {
    /// What came of this call: whatever a tool may return. An error of it is told to the model.
    pub fn result(&self, output: impl ToolOutput) -> ToolResult {
        output.into_result().map_or_else(|error| self.failed(&error), |result| self.gave(result))
    }

    /// This call failed.
    pub fn error(&self, message: impl Into<String>) -> ToolResult {
        self.gave(CallToolResult::error(message))
    }

    fn failed(&self, error: &ToolError) -> ToolResult {
        self.error(error.chain())
    }

    fn gave(&self, result: CallToolResult) -> ToolResult {
        let CallToolResult { content, structured, is_error, .. } = result;
        // Before 2026-07-28 it is an object or nothing; its mirror in the text says the same.
        let structured = structured.and_then(|json| serde_json::from_str(json.get()).ok()).filter(Value::is_object);
        ToolResult { tool_use_id: self.id.clone(), content, structured_content: structured, is_error }
    }
}
