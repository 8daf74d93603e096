//! A resource returns text, bytes or parts.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}")]
async fn page(name: String) -> usize {
    name.len()
}

fn main() {
    let _ = resources![page];
}
