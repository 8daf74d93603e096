//! The function that completes gets a `CompletionRequest`.

use mcp_runtime::prelude::*;

async fn names(_: String) -> Vec<String> {
    Vec::new()
}

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(#[complete(names)] name: String) -> String {
    format!("Greet {name}.")
}

fn main() {
    let _ = prompts![greet];
}
