//! Author MCP tools as annotated async functions.

extern crate self as mcp_runtime;

mod call;
mod error;
mod macros;
mod tool;
mod wire;

#[doc(hidden)]
pub mod __private;
pub mod prelude;

pub use self::{
    call::{Call, Ctx, NoForms, Talk},
    error::{Result, ToolError},
    macros::mcp_tool,
    tool::{
        Arguments, ArgumentsError, CallToolResult, Calling, Capability, IntoToolError, Json, State, StateNeed, Text,
        Tool, ToolDefinition, ToolInput, ToolOutput,
    },
    wire::{
        content::{Annotations, Audience, Content, EmbeddedResource, ResourceLink},
        level::Level,
        revision::Revision,
    },
};
