//! The hints of tools are not keys of a resource.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}", read_only)]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
