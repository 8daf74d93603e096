//! The names in a list are distinct.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://page")]
async fn page() -> String {
    String::new()
}

/// Another page.
#[mcp_resource("docs://other", name = "page")]
async fn other() -> String {
    String::new()
}

fn main() {
    let _ = resources![page, other];
}
