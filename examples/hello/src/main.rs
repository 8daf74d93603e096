//! The smallest server: one tool. Call it with `cargo run --example hello -- call greet --name World`.
//!
//! To connect a desktop client, build it with `cargo build --example hello` and add this to the client's `mcpServers`:
//! `"hello": { "command": "/path/to/target/debug/examples/hello" }`.

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
