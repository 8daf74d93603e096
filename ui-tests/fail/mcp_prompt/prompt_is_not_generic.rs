//! A prompt has one signature.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greet<T: ToString + Send>(name: String) -> String {
    name
}

fn main() {
    let _ = prompts![greet];
}
