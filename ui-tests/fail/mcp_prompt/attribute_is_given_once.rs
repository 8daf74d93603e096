//! A second attribute would generate a second prompt.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
#[mcp_prompt]
async fn greet() -> &'static str {
    "Greet me."
}

fn main() {
    let _ = prompts![greet];
}
