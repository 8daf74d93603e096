//! A query has one expression with all its variables.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages{?name}{&lang}")]
async fn page(name: String, lang: String) -> String {
    format!("{name} {lang}")
}

fn main() {
    let _ = resources![page];
}
