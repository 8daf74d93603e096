use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search(#[serde(default = "ten")] limit: u32) {
    let _ = limit;
}

fn ten() -> String {
    "10".to_owned()
}

fn main() {}
