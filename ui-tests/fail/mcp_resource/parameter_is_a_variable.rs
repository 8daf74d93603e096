//! Each parameter by value is a variable of the URI.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://page")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
