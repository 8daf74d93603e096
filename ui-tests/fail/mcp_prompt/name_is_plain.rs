//! Hosts show the name as a command.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt(name = "greet me")]
async fn greet() -> &'static str {
    "Greet me."
}

fn main() {
    let _ = prompts![greet];
}
