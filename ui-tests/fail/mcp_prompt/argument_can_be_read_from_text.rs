//! The type of an argument can be read from text.

use mcp_runtime::prelude::*;

/// Asks for greetings.
#[mcp_prompt]
async fn greet(names: Vec<String>) -> String {
    format!("Greet {}.", names.join(", "))
}

fn main() {
    let _ = prompts![greet];
}
