//! An MCP server with one tool. `cargo run -- help` shows its commands.

mod notes;

use std::process::ExitCode;

use mcp_runtime::prelude::*;

use crate::notes::{NoteSettings, save_note};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    server().run().await
}

fn server() -> Server {
    Server::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
        .instructions("Saves notes for the user.")
        .settings::<NoteSettings>()
        .tools(tools![save_note])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every setting has a default, so a new user can start the server at once.
    #[test]
    fn the_server_needs_no_configuration() {
        assert!(server().build().is_ok());
    }
}
