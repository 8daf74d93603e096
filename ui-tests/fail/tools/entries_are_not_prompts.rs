use mcp_runtime::prelude::*;

/// Asks for a greeting.
#[mcp_prompt]
async fn greeting() -> String {
    String::new()
}

/// The page.
#[mcp_resource("docs://page")]
async fn page() -> String {
    String::new()
}

fn main() {
    drop(tools![greeting, page]);
}
