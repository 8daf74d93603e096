//! What most tools need: `use mcp_runtime::prelude::*;`.
//!
//! It has [`ToolResult`], and no `Result`: two globs with one would clash. Whoever prefers that name writes
//! `use mcp_runtime::Result;`.

pub use crate::{
    Choice, Content, Ctx, Elicited, Form, Json, Level, PhaseCtx, SampleTools, Server, Text, ToolError, ToolResult,
    elicits, handoff, mcp_tool, tools,
};
