//! One compilation shows all mistakes.

use mcp_runtime::prelude::*;

#[mcp_prompt(titel = "Greeting")]
fn greet(names: Vec<String>, #[serde(default)] count: u32, text: &str) -> u32 {
    count
}

fn main() {
    let _ = prompts![greet];
}
