//! Each expression has one variable.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name,other}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
