use mcp_runtime::prelude::*;

/// Greets somebody.
#[mcp_tool]
async fn greet(name: &str) -> String {
    format!("Hello, {name}!")
}

fn main() {}
