use mcp_runtime::prelude::*;

/// Asks for a summary.
#[mcp_prompt(task)]
async fn summary() -> String {
    String::new()
}

fn main() {}
