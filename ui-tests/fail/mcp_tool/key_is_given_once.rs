use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(title = "Add", read_only, title = "Plus")]
async fn add(a: i64, b: i64) -> String {
    format!("{}", a + b)
}

fn main() {}
