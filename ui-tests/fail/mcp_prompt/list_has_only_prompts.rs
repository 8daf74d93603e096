//! A list of prompts has only prompts.

use mcp_runtime::prelude::*;

/// Greets a person.
#[mcp_tool]
async fn greet() -> &'static str {
    "Hello"
}

fn main() {
    let _ = prompts![greet];
}
