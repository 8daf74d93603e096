use mcp_runtime::prelude::*;

/// Lists everything.
#[mcp_tool]
#[mcp_runtime::mcp_tool(read_only)]
async fn list() {}

fn main() {}
