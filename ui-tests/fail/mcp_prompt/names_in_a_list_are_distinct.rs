//! Two prompts of one list have different names.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greet() -> &'static str {
    "Greet me."
}

/// Asks for a short greeting.
#[mcp_prompt(name = "greet")]
async fn greet_briefly() -> &'static str {
    "Greet me briefly."
}

fn main() {
    let _ = prompts![greet, greet_briefly];
}
