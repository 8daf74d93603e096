use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(name = "add/größe")]
async fn add(a: i64, b: i64) -> String {
    format!("{}", a + b)
}

/// Shows the size.
#[mcp_tool]
async fn größe() {}

fn main() {}
