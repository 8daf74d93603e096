//! A prompt is an `async fn`.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
fn greet() -> String {
    "Greet me.".to_owned()
}

fn main() {
    let _ = prompts![greet];
}
