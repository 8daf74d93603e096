//! A resource is not generic.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}")]
async fn page<T: ToString>(name: T) -> String {
    name.to_string()
}

fn main() {
    let _ = resources![page];
}
