//! A struct of arguments needs no dependency on `schemars`.

mod schemars {}

use mcp_runtime::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, mcp_runtime::schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "mcp_runtime::schemars")]
struct Query {
    /// What to look for.
    text: String,
    #[serde(default)]
    limit: Option<u8>,
}

#[derive(Serialize, mcp_runtime::schemars::JsonSchema)]
#[schemars(crate = "mcp_runtime::schemars")]
struct Found {
    count: usize,
}

/// Searches the notes.
#[mcp_tool]
async fn search(#[params] query: Query) -> Json<Found> {
    Json(Found { count: query.text.len() + usize::from(query.limit.unwrap_or(0)) })
}

fn main() {
    Server::new("shop", "1.0.0").tools(tools![search]).build().unwrap();
}
