//! The attribute is given once.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://page")]
#[mcp_resource("docs://other")]
async fn page() -> String {
    String::new()
}

fn main() {
    let _ = resources![page];
}
