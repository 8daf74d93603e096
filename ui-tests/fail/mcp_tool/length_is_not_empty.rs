use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search(#[schemars(length(min = 9, max = 3), title = "Text")] text: String) {
    let _ = text;
}

fn main() {
    let _ = tools![search];
}
