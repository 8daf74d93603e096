use mcp_runtime::{complete::CompletionRequest, prelude::*};

type Names = Option<Vec<String>>;

async fn names(_: CompletionRequest) -> Names {
    None
}

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(#[complete(names)] name: String) -> String {
    format!("Greet {name}.")
}

fn main() {
    drop(prompts![greet]);
}
