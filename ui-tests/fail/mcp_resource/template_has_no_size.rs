//! A template has no size.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}", size = 4096)]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
