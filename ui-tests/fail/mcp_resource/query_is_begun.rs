//! An expression continues only a query that the template has begun.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages{&name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
