//! The size is a number of bytes.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://page", size = "4 KB")]
async fn page() -> String {
    String::new()
}

fn main() {
    let _ = resources![page];
}
