//! The code `#[mcp_tool]` writes: what it publishes and what it reads.

use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(read_only)]
async fn add(a: i64, b: i64) -> String {
    format!("{}", a + b)
}

#[test]
fn t() {
    let tools = tools![add];
    println!("{:#?}", tools[0].definition());
}
