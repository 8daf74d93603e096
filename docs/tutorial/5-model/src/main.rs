//! The desk of a small library, as an MCP server.

mod desk;
mod fee;
mod lend;
mod recommend;
mod register;
mod search;

use std::process::ExitCode;

use mcp_runtime::{Result, prelude::*, providers::Model, store::SqliteStore};

use crate::desk::Desk;

fn server(desk: Desk) -> Server {
    Server::new("library-desk", env!("CARGO_PKG_VERSION"))
        .state(desk)
        .tools(tools![
            fee::late_fee,
            recommend::recommend_book,
            register::register_reader,
            search::search_books,
        ])
        .tool(lend::LendBook)
}

/// Opens the database and the ledger, which are files in the current folder.
fn open() -> Result<Server> {
    let ledger = SqliteStore::open("ledger.db")?;
    let server = server(Desk::open("library.db")?).store(ledger);
    // The model of the operator answers if the client has none.
    Ok(match Model::from_env()? {
        Some(model) => server.sampling_provider(model),
        None => server,
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match open() {
        Ok(server) => server.run().await,
        Err(error) => {
            eprintln!("{error}");
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
