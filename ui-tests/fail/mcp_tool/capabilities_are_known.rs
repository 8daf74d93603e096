use mcp_runtime::prelude::*;

/// Writes a poem.
#[mcp_tool(requires(samplign), optional(printing))]
async fn poem() {}

fn main() {}
