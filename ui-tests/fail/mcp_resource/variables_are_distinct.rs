//! No variable appears twice.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}/{name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
