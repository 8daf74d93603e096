use mcp_runtime::prelude::*;

struct Query {
    text: String,
}

/// Searches the notes.
#[mcp_tool]
async fn search(#[params] query: Query) -> String {
    query.text
}

fn main() {}
