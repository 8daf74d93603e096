use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool]
async fn add((a, b): (i64, i64)) -> String {
    format!("{}", a + b)
}

fn main() {}
