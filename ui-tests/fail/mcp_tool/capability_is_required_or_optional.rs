use mcp_runtime::prelude::*;

/// Writes a poem.
#[mcp_tool(requires(sampling, roots), optional(sampling))]
async fn poem() {}

fn main() {}
