//! A MIME type has a type and a subtype.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}", mime_type = "markdown")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
