//! A server that moves money between invented accounts, with limits and the user's confirmation.
//!
//! It shows a call that must not run twice and that continues after the server was restarted: `before` only reads,
//! `client` asks (twice for large amounts), and `after` books in one transaction (`payment.rs`). If `TRANSFER_DIR` is
//! set, the bank and the store of calls are files in that directory; otherwise they are in memory. `TRANSFER_STORE` names
//! another store for the calls ([`store::open`]), such as `postgres://…` or `redis://…`.
//! With keys in `MCP_STATE_KEY`, the answers that the user gave before the server died are still valid after the
//! restart. To run a server with files:
//!
//! ```sh
//! mkdir -p bank
//! export TRANSFER_DIR=bank MCP_STATE_KEY="$(openssl rand -base64 32)"
//! cargo run -p transfer
//! ```
//!
//! `transcript.jsonl` contains the messages of a client and the server; `tests/killed` kills the server during calls
//! and counts the bookings.

mod amount;
mod bank;
mod error;
mod payment;

use std::{env, error::Error, path::Path, process::ExitCode, time::Duration};

use mcp_runtime::{prelude::*, store};
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

/// Creates the server with its files in this directory, or in memory if there is none. `address` names the store of
/// calls, if it is not such a file.
async fn server(directory: Option<&Path>, address: Option<String>) -> Result<Server, Box<dyn Error>> {
    let bank = Bank::open(directory.map(|directory| directory.join("bank.db")).as_deref())?;
    let server = Server::new("transfer", env!("CARGO_PKG_VERSION"))
        .title("Transfers")
        .instructions(
            "Moves money between invented accounts. If the outcome of a transfer is unknown, `balance` shows whether \
             it was booked.",
        )
        // If this process dies, the next one can resume its calls after this time.
        .lease(Duration::from_secs(5))
        .state(bank)
        .tools(tools![balance])
        .tool(Transfer);
    let file = || directory.map(|directory| directory.join("ledger.db").display().to_string());
    let address = address.or_else(file).unwrap_or_else(|| "memory".to_owned());
    Ok(server.store(store::open(&address).await?))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let directory = env::var_os("TRANSFER_DIR");
    match server(directory.as_deref().map(Path::new), env::var("TRANSFER_STORE").ok()).await {
        Ok(server) => server.run().await,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
