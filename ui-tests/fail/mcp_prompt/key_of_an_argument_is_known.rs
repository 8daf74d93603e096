//! An unknown key of an argument is an error with a suggestion.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(#[arg(tilte = "Name")] name: String) -> String {
    format!("Greet {name}.")
}

fn main() {
    let _ = prompts![greet];
}
