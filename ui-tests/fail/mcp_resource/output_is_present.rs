//! A resource returns something.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}")]
async fn page(name: String) {
    drop(name);
}

fn main() {
    let _ = resources![page];
}
