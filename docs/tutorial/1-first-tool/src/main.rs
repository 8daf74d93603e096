//! The desk of a small library, as an MCP server.

mod fee;

use std::process::ExitCode;

use mcp_runtime::prelude::*;

fn server() -> Server {
    Server::new("library-desk", env!("CARGO_PKG_VERSION")).tools(tools![fee::late_fee])
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    server().run().await
}

#[cfg(test)]
mod tests {
    use mcp_runtime::testing::Client;

    /// Connects a client in memory.
    pub fn client() -> Client {
        Client::modern(&super::server().build().unwrap())
    }
}
