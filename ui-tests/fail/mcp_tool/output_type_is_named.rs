use mcp_runtime::prelude::*;

/// Counts the notes.
#[mcp_tool]
async fn count() -> impl ToString {
    3
}

fn main() {}
