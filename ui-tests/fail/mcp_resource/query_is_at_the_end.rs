//! The variables of a query are at the end of a template.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://{?name}/page")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
