//! What most tools need: `use mcp_runtime::prelude::*;`.
//!
//! It has [`ToolResult`], and no `Result`: two globs with one would clash. Whoever prefers that name writes
//! `use mcp_runtime::Result;`.

pub use crate::{
    AskError, Choice, Content, Ctx, Elicited, Form, IntoTools, Json, Level, MultiSelect, PhaseCtx, SampleTools, Server,
    Text, ToolError, ToolResult, elicits, handoff, mcp_tool, tools,
};
