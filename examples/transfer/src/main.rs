//! A server that moves money between invented accounts, with limits and the user's word.
//!
//! It shows a conversation in which running anything twice would show, and that goes on after the server was restarted:
//! `before` only reads, `client` asks, large amounts twice, and `after` books in one transaction (`payment.rs`). Where
//! `TRANSFER_DIR` names a directory, the bank and the records of calls ([`SqliteLedger`]) are files in it; and with
//! keys in `MCP_STATE_KEY`, whatever the user has said before the server died counts when it is back. Without, all is
//! in memory. A server with files that stay:
//!
//! ```sh
//! mkdir -p bank
//! export TRANSFER_DIR=bank MCP_STATE_KEY="$(openssl rand -base64 32)"
//! cargo run -p transfer
//! ```
//!
//! `transcript.jsonl` is what client and server say to each other; `tests/killed` kills the server at the worst
//! moments and counts the bookings.

mod amount;
mod bank;
mod error;
mod payment;

use std::{env, error::Error, path::Path, process::ExitCode, time::Duration};

use mcp_runtime::{SqliteLedger, prelude::*};
use schemars::JsonSchema;
use serde::Serialize;

use self::{
    bank::{Account, Bank, Booking},
    error::BankError,
    payment::Transfer,
};

/// An account, and what happened there lately.
#[derive(Debug, Serialize, JsonSchema)]
struct Statement {
    account: Account,
    /// The latest five, newest first.
    bookings: Vec<Booking>,
}

/// Show an account: its balance and the latest bookings. There are `household`, `savings`, `landlord` and `club`.
#[mcp_tool(title = "Balance", read_only, open_world = false)]
async fn balance(
    bank: &Bank,
    /// The name of the account, such as `household`.
    #[schemars(length(max = 50))]
    account: String,
) -> Result<Json<Statement>, BankError> {
    let account = bank.account(&account).await?;
    let bookings = bank.bookings(&account.name).await?;
    Ok(Json(Statement { account, bookings }))
}

/// A server whose files are in this directory; in memory, where there is none.
fn server(directory: Option<&Path>) -> Result<Server, Box<dyn Error>> {
    let bank = Bank::open(directory.map(|directory| directory.join("bank.db")).as_deref())?;
    let server = Server::new("transfer", env!("CARGO_PKG_VERSION"))
        .title("Transfers")
        .instructions(
            "Moves money between invented accounts. If the outcome of a transfer is unknown, `balance` shows whether \
             it was booked.",
        )
        // A call that dies with this process is gone on with by the next one after this time.
        .lease(Duration::from_secs(5))
        .state(bank)
        .tools(tools![balance])
        .tool(Transfer);
    Ok(match directory {
        Some(directory) => server.ledger(SqliteLedger::open(directory.join("ledger.db"))?),
        None => server,
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match server(env::var_os("TRANSFER_DIR").as_deref().map(Path::new)) {
        Ok(server) => server.run().await,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
