//! Other characters are percent-encoded.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://all pages/{name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
