//! The desk of a small library, as an MCP server.

mod desk;
mod fee;
mod register;
mod search;

use std::process::ExitCode;

use mcp_runtime::prelude::*;

use crate::desk::Desk;

fn server(desk: Desk) -> Server {
    Server::new("library-desk", env!("CARGO_PKG_VERSION"))
        .state(desk)
        .tools(tools![
            fee::late_fee,
            register::register_reader,
            search::search_books,
        ])
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match Desk::open("library.db") {
        Ok(desk) => server(desk).run().await,
        Err(error) => {
            eprintln!("library.db: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use mcp_runtime::testing::Client;

    use super::*;

    /// Connects a client in memory, to a new database.
    pub fn client() -> Client {
        let desk = Desk::open(":memory:").unwrap();
        Client::modern(&server(desk).build().unwrap())
    }
}
