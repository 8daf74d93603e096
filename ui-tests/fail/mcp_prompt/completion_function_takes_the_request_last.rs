//! A completion function takes the request after the state.

use mcp_runtime::{complete::CompletionRequest, prelude::*};

struct Names(Vec<String>);

async fn of_nothing() -> Vec<String> {
    Vec::new()
}

async fn of_a_reference(_: &CompletionRequest) -> Vec<String> {
    Vec::new()
}

async fn of_state(_: CompletionRequest, names: &Names) -> Vec<String> {
    names.0.clone()
}

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(
    #[complete(of_nothing)] first: String,
    #[complete(of_a_reference)] second: String,
    #[complete(of_state)] third: String,
) -> String {
    format!("Greet {first} {second} {third}.")
}

fn main() {
    drop(prompts![greet]);
}
