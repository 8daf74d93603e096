//! What most tools need: `use mcp_runtime::prelude::*;`.
//!
//! There is no `Result` in it, since two globs with one would clash: write `use mcp_runtime::Result;`.

pub use crate::{Content, Ctx, Json, Level, Server, Text, ToolError, mcp_tool, tools};
