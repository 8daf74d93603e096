//! Users choose a prompt by its description.

use mcp_runtime::prelude::*;

#[mcp_prompt]
async fn greet() -> &'static str {
    "Greet me."
}

fn main() {
    let _ = prompts![greet];
}
