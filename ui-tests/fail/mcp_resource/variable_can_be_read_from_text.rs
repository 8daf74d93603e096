//! A variable has a type that can be read from text.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}")]
async fn page(name: Vec<String>) -> String {
    name.concat()
}

fn main() {
    let _ = resources![page];
}
