//! A list of resources has only resources.

use mcp_runtime::prelude::*;

/// Turns a page.
#[mcp_tool]
async fn page() -> String {
    String::new()
}

fn main() {
    let _ = resources![page];
}
