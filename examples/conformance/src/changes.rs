//! Tools that change the lists of the server.

use mcp_runtime::{prelude::*, prompt::PromptList, tool::ToolList};

/// Tells clients that the list of tools has changed.
#[mcp_tool]
pub(crate) async fn test_trigger_tool_change(tools: &ToolList) -> &'static str {
    tools.notify();
    "Tool change triggered"
}

/// Tells clients that the list of prompts has changed.
#[mcp_tool]
pub(crate) async fn test_trigger_prompt_change(prompts: &PromptList) -> &'static str {
    prompts.notify();
    "Prompt change triggered"
}
