use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(name = "add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_")]
async fn add(a: i64, b: i64) -> String {
    format!("{}", a + b)
}

fn main() {}
