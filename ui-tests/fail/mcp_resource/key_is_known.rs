//! An unknown key is an error with a suggestion.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}", mimetype = "text/plain")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
