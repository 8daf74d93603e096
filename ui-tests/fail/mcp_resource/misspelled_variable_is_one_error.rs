//! A misspelled variable is one error with a suggestion.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://pages/{name}")]
async fn page(nmae: String) -> String {
    nmae
}

fn main() {
    let _ = resources![page];
}
