use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(title = 3, read_only = "yes", idempotent(true), description, requires = "sampling", meta = "x", register = "Add")]
async fn add(a: i64, b: i64) -> String {
    format!("{}", a + b)
}

fn main() {}
