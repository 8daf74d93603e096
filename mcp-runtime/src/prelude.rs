//! The items that most tools need: `use mcp_runtime::prelude::*;`.
//!
//! The prelude has no `Result`, because two glob imports with the same name would conflict: write
//! `use mcp_runtime::Result;`.

pub use crate::{
    AskError, Choice, Content, Ctx, Elicited, Form, Json, Level, SampleTools, Server, Text, ToolError, call::PhaseCtx,
    elicit::MultiSelect, elicits, handoff, mcp_prompt, mcp_resource, mcp_tool, prompt::PromptMessage, prompts,
    resource::ResourceContents, resources, tool::IntoTools, tools, view::mcp_view,
};

#[cfg(feature = "settings")]
pub use crate::settings::Settings;
#[cfg(feature = "skills")]
pub use crate::skills;
#[cfg(feature = "actions")]
pub use crate::{actions::action_output, mcp_actions};
