//! Conversions into requests to a model, and into the results of its tool calls.

use serde_json::Value;

use super::messages::Messages;
use crate::{
    engine::tool::{ToolDefinition, ToolOutput},
    wire::protocol::{
        result::CallToolResult,
        sampling::{SamplingRequest, SamplingTool, ToolResult, ToolUse},
    },
};

impl SamplingRequest {
    /// Creates a request with these messages and this token limit, for tests of providers. Set the other options
    /// through the fields.
    pub fn new(messages: impl Into<Messages>, max_tokens: u32) -> Self {
        Self {
            messages: messages.into().0,
            system_prompt: None,
            max_tokens,
            temperature: None,
            stop_sequences: Vec::new(),
            model_preferences: None,
            tools: Vec::new(),
            tool_choice: None,
            schema: None,
        }
    }
}

impl From<ToolDefinition> for SamplingTool {
    fn from(tool: ToolDefinition) -> Self {
        Self {
            name: tool.name.into_owned(),
            description: tool.description.into_owned(),
            input_schema: tool.input_schema,
            aliases: tool.aliases,
        }
    }
}

impl ToolUse {
    /// Creates the result of this call from any [`ToolOutput`]. If the output is an error, the result contains the
    /// error's message for the model.
    pub fn result(&self, output: impl ToolOutput) -> ToolResult {
        output.into_result().map_or_else(|error| self.error(error.chain()), |result| self.gave(result))
    }

    /// Creates an error result of this call.
    pub fn error(&self, message: impl Into<String>) -> ToolResult {
        self.gave(CallToolResult::error(message))
    }

    fn gave(&self, mut result: CallToolResult) -> ToolResult {
        let content = result.take_content();
        let CallToolResult { structured, is_error, .. } = result;
        // Before 2026-07-28 only objects are allowed; the text contains the same value.
        let structured = structured.and_then(|json| serde_json::from_str(&json).ok()).filter(Value::is_object);
        ToolResult { tool_use_id: self.id.clone(), content, structured_content: structured, is_error }
    }
}
