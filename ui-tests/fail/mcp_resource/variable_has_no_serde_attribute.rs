//! A variable is text and not JSON.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}")]
async fn page(#[serde(default)] name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
