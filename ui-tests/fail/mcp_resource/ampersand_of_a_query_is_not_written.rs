//! An expression of a query writes its own separator.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages?{&name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
