//! A prompt takes each argument as a parameter.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(#[params] name: String) -> String {
    format!("Greet {name}.")
}

fn main() {
    let _ = prompts![greet];
}
