use std::process::ExitCode;

use mcp_runtime::prelude::*;

/// Greet somebody by name.
#[mcp_tool(read_only)]
async fn greet(
    /// Whom to greet.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    Server::new("hello", env!("CARGO_PKG_VERSION")).tools(tools![greet]).run().await
}
