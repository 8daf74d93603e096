use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> String
where
    i64: Copy,
{
    format!("{}", a + b)
}

fn main() {}
