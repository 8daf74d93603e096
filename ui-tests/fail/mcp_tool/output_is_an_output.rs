use mcp_runtime::prelude::*;

/// Counts the notes.
#[mcp_tool]
async fn count() -> u32 {
    3
}

fn main() {
    let _ = tools![count];
}
