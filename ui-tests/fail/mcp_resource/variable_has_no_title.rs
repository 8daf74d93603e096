//! A variable has no title.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}")]
async fn page(#[arg(title = "Name")] name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
