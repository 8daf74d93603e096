//! The arguments are the members of one object.

use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(name: String, #[arg(name = "name")] other: String) -> String {
    format!("Greet {name} and {other}.")
}

fn main() {
    let _ = prompts![greet];
}
