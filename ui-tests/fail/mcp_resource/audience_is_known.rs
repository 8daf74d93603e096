//! The audience is the user or the assistant.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}", audience(users))]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
