//! The first argument is the URI.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource(title = "Page")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
