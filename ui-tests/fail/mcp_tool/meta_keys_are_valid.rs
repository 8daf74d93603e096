use mcp_runtime::prelude::*;

/// Lists everything.
#[mcp_tool(meta("example.com/" = 1, "-beta" = true, "1st.example/x" = 2, "io.modelcontextprotocol/x" = 3))]
async fn list() {}

fn main() {}
