//! A variable does not borrow its data.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}")]
async fn page(name: &str) -> String {
    name.to_owned()
}

fn main() {
    let _ = resources![page];
}
