//! Conversions into requests to a model.

use super::messages::Messages;
use crate::{
    engine::tool::ToolDefinition,
    wire::protocol::sampling::{SamplingRequest, SamplingTool},
};

impl SamplingRequest {
    /// Creates a request with these messages and this token limit, for tests of providers. Set the other options
    /// through the fields.
    pub fn new(messages: impl Into<Messages>, max_tokens: u32) -> Self {
        Self {
            messages: messages.into().into_vec(),
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
