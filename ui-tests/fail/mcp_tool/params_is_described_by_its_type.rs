use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    text: String,
}

/// Searches the notes.
#[mcp_tool]
async fn search(
    /// What to look for.
    #[params]
    #[serde(default)]
    query: Query,
) -> String {
    query.text
}

fn main() {}
