//! The output of a prompt is a message.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greet() -> u32 {
    7
}

fn main() {
    let _ = prompts![greet];
}
