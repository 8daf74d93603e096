//! A struct is not text.

use mcp_runtime::prelude::*;

#[derive(serde::Deserialize)]
struct Person {
    name: String,
}

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(person: Person) -> String {
    format!("Greet {}.", person.name)
}

fn main() {
    let _ = prompts![greet];
}
