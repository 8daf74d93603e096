//! A prompt returns something.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greet() {}

fn main() {
    let _ = prompts![greet];
}
