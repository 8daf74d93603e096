use mcp_runtime::prelude::*;

///
#[mcp_tool]
async fn add(a: i64, b: i64) -> String {
    format!("{}", a + b)
}

/// Subtracts.
#[mcp_tool(description = " ")]
async fn sub(a: i64, b: i64) -> String {
    format!("{}", a - b)
}

fn main() {}
