use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    text: String,
}

/// Searches the notes.
#[mcp_tool]
async fn search(#[params] query: Query, #[params] other: Query) -> String {
    query.text + &other.text
}

fn main() {}
