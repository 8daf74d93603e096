use mcp_runtime::prelude::*;

#[derive(serde::Deserialize)]
struct Query {
    text: String,
}

/// Searches the notes.
#[mcp_tool]
async fn search(query: Option<Query>) -> String {
    query.map(|query| query.text).unwrap_or_default()
}

fn main() {}
