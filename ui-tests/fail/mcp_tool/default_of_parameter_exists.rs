use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Order {
    Ascending,
    Descending,
}

/// Sorts the notes.
#[mcp_tool]
async fn sort(#[serde(default)] order: Order) {
    let _ = order;
}

fn main() {}
