//! The priority is a number from 0 to 1.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}", priority = 2.0)]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
