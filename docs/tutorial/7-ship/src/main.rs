//! The desk of a small library, as an MCP server.

mod access;
mod desk;
mod fee;
mod lend;
mod recommend;
mod register;
mod search;
mod settings;

use std::process::ExitCode;

use mcp_runtime::{Result, prelude::*, providers::Model};

use crate::{access::Access, desk::Desk, settings::DeskSettings};

/// The tools, without the state that they share.
fn tools() -> Server {
    Server::new("library-desk", env!("CARGO_PKG_VERSION"))
        .title("Library desk")
        .tools(tools![
            fee::late_fee,
            recommend::recommend_book,
            register::register_reader,
            search::search_books,
        ])
        .tool(lend::LendBook)
}

/// The server as its operator runs it.
fn open() -> Result<Server> {
    let server = tools()
        .settings::<DeskSettings>()
        .state_from(|settings: &DeskSettings| Desk::open(settings.folder.join("library.db")))
        .settings::<Access>()
        .authorization_from(Access::authorization);
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

/// The server of the tests.
#[cfg(test)]
fn server(desk: Desk) -> Server {
    let folder = std::path::PathBuf::new();
    tools().state(desk).state(DeskSettings {
        folder,
        loan_days: 14,
    })
}

#[cfg(test)]
mod tests {
    use mcp_runtime::{Principal, testing::Client};
    use serde_json::json;

    use super::*;

    /// Connects a client in memory, to a new database.
    pub fn client() -> Client {
        let desk = Desk::open(":memory:").unwrap();
        Client::modern(&server(desk).build().unwrap())
    }

    #[tokio::test]
    async fn a_guest_can_search_but_not_lend() {
        let guest = Principal::new("guest").scopes(["desk:read"]);
        let mut client = client().principal(guest);
        let found = client.call("search_books", json!({ "text": "emma" })).await;
        assert!(!found.is_error());
        let refused = client
            .call("lend_book", json!({ "book": 1, "reader": 1 }))
            .await;
        assert!(refused.error().unwrap().message.contains("desk:write"));
    }
}
