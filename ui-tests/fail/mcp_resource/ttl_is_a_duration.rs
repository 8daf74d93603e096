//! The time to live is a duration.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}", ttl = 3600)]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
