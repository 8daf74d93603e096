use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    text: String,
}

/// Searches the notes.
#[mcp_tool]
async fn search(#[params] query: Query, limit: usize) -> String {
    query.text.chars().take(limit).collect()
}

fn main() {}
