//! An argument has no schema.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(#[schemars(length(min = 1))] name: String) -> String {
    format!("Greet {name}.")
}

fn main() {
    let _ = prompts![greet];
}
