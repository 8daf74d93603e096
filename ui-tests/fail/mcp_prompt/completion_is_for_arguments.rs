//! Only an argument can be completed.

use mcp_runtime::{complete::CompletionRequest, prelude::*};

async fn names(_: CompletionRequest) -> Vec<String> {
    Vec::new()
}

/// Asks for a greeting.
#[mcp_prompt]
async fn greet(#[complete(names)] ctx: &Ctx) -> String {
    let _ = ctx;
    "Greet me.".to_owned()
}

fn main() {
    let _ = prompts![greet];
}
