//! The cache scope is public or private.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}", cache_scope = "shared")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
