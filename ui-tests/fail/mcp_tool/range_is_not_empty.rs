use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search(#[schemars(range(min = 50, max = 1))] limit: u32) {
    let _ = limit;
}

fn main() {
    let _ = tools![search];
}
