//! A resource is an `async fn`.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}")]
fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
