//! A list function returns entries.

use mcp_runtime::{prelude::*, resource::ListRequest};

/// A page.
#[mcp_resource("docs://pages/{name}", list = pages)]
async fn page(name: String) -> String {
    name
}

async fn pages(_: ListRequest) -> Vec<String> {
    Vec::new()
}

fn main() {
    let _ = resources![page];
}
