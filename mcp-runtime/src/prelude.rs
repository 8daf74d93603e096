//! The items that most tools need: `use mcp_runtime::prelude::*;`.
//!
//! The prelude exports [`ToolResult`] and not `Result`, because two glob imports with the same name would conflict. For
//! the shorter name write `use mcp_runtime::Result;`.

pub use crate::{
    AskError, Choice, Content, Ctx, Elicited, Form, Json, Level, PhaseCtx, Result, SampleTools, Server, Text,
    ToolError, elicits,
    engine::{elicit::MultiSelect, tool::IntoTools},
    handoff, mcp_prompt, mcp_resource, mcp_tool, prompts, resources,
    serve::{prompt::PromptMessage, resource::ResourceContents},
    tools,
};

#[cfg(feature = "actions")]
pub use crate::{action_output, mcp_actions};
