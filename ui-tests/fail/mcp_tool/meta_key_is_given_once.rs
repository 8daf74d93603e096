use mcp_runtime::prelude::*;

/// Writes a poem.
#[mcp_tool(meta("example.com/style" = "haiku", "example.com/style" = "sonnet"))]
async fn poem() {}

fn main() {}
