use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search(#[serde(default = 20)] text: String) {
    let _ = text;
}

fn main() {
    let _ = tools![search];
}
