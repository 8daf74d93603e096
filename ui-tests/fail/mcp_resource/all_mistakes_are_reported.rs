//! One compilation shows all mistakes.

use mcp_runtime::prelude::*;

#[mcp_resource("docs://pages/{name}/{count}", mime_type = "markdown", titel = "Page")]
fn page(names: Vec<String>, #[serde(default)] count: u32, text: &str) -> u32 {
    count
}

fn main() {
    let _ = resources![page];
}
