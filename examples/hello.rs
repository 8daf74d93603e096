//! The smallest server: one tool.

use mcp_runtime::prelude::*;

/// Greets somebody by name.
#[mcp_tool(read_only)]
async fn greet(
    /// Whom to greet.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    Server::new("hello", env!("CARGO_PKG_VERSION")).tools(tools![greet]).serve_stdio().await
}
