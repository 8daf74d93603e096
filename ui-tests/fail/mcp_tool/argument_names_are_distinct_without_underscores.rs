use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search(q: String, _q: String) {
    let _ = q;
}

fn main() {
    let _ = tools![search];
}
