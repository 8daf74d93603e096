use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(name = "")]
async fn add(a: i64, b: i64) -> String {
    format!("{}", a + b)
}

fn main() {}
