//! A percent sign begins an encoded character.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://100%/{name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
