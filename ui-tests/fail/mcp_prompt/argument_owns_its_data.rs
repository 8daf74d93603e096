//! An argument is taken by value.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(name: &str) -> String {
    format!("Greet {name}.")
}

fn main() {
    let _ = prompts![greet];
}
