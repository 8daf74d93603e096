use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search() {}

fn main() {
    let _ = tools![search()];
}
