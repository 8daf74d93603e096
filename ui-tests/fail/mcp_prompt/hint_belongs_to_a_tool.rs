//! Only tools have hints.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt(read_only)]
async fn greet() -> &'static str {
    "Greet me."
}

fn main() {
    let _ = prompts![greet];
}
