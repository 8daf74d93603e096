//! An unknown key is an error with a suggestion.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt(titel = "Greeting")]
async fn greet() -> &'static str {
    "Greet me."
}

fn main() {
    let _ = prompts![greet];
}
