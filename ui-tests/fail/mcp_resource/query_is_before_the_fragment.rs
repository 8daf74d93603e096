//! A query is before the fragment.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages#top{?name}")]
async fn page(name: String) -> String {
    name
}

fn main() {
    let _ = resources![page];
}
