//! A template has one question mark.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages?kind=text{?name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
