use mcp_runtime::prelude::*;

/// Adds two numbers.
#[handoff]
async fn add(a: i64, b: i64) -> Text<i64> {
    Text(a + b)
}

fn main() {}
