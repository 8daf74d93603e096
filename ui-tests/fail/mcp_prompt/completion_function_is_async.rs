use mcp_runtime::{complete::CompletionRequest, prelude::*};

fn names(_: CompletionRequest) -> Vec<String> {
    Vec::new()
}

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(#[complete(names)] name: String) -> String {
    format!("Greet {name}.")
}

fn main() {
    drop(prompts![greet]);
}
