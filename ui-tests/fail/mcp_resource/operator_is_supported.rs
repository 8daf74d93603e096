//! Only the operators `+`, `?`, `&` and `#` are supported.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages{/name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
