//! What most tools need: `use mcp_runtime::prelude::*;`.
//!
//! There is no `Result` in it, since two globs with one would clash: write `use mcp_runtime::Result;`.

pub use crate::{
    Choice, Content, Ctx, Form, Json, Level, PhaseCtx, SampleTools, Server, Text, ToolError, elicits, handoff,
    mcp_tool, tools,
};
