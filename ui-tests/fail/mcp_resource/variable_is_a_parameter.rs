//! Each variable of the URI is a parameter.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://{section}/{name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
