use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search(#[description = "The text to search for."] text: String, #[default = 10] limit: u32) -> String {
    format!("{text} {limit}")
}

fn main() {
    drop(tools![search]);
}
