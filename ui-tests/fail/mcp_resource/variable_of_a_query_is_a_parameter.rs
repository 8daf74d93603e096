//! Each variable of a query is a parameter.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}{?section,lang}")]
async fn page(name: String, lang: Option<String>) -> String {
    lang.unwrap_or(name)
}

fn main() {
    let _ = resources![page];
}
