//! The value of `list` is a function.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}", list = "pages")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
