use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool(readOnlyHint = true, open_world_hint = false, idempotentHint)]
async fn search(text: String) -> String {
    text
}

fn main() {
    drop(tools![search]);
}
