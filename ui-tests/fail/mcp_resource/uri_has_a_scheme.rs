//! A URI begins with a scheme.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("pages/{name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
