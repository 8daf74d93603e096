//! A resource has a description.

use mcp_runtime::prelude::*;

#[mcp_resource("docs://pages/{name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
