//! Text separates two variables.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://{name}{other}")]
async fn page(name: String, other: String) -> String {
    name + &other
}

fn main() {
    let _ = resources![page];
}
