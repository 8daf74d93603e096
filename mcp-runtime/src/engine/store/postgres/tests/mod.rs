//! Tests with PostgreSQL servers of their own.

mod losing;
mod operators;
mod runs;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../../../../../tests/support/postgres_server.rs"]
mod server;
mod sharing;

use std::time::Duration;

use tokio::time::{Instant, sleep};

use self::server::PostgresServer;
use super::{PostgresStore, PostgresStoreError};
use crate::engine::{
    call::lease::LedgerError,
    durable::ledger::{Ledger as _, LedgerId, LedgerKey, LedgerVersion, Swapped},
};

const LONG: Duration = Duration::from_secs(600);

/// Starts a server that loses nothing.
fn durable() -> Option<PostgresServer> {
    PostgresServer::start(&[])
}

async fn connect(url: &str) -> PostgresStore {
    PostgresStore::connect(url).await.unwrap()
}

/// Writes an entry that does not exist yet.
async fn write(store: &PostgresStore, id: LedgerId, name: &str) -> Result<LedgerVersion, LedgerError> {
    match store.swap(LedgerKey::new(id, name), None, name.as_bytes().into(), LONG, None).await? {
        Swapped::Done(version) => Ok(version),
        swapped => panic!("`{name}`: {swapped:?}"),
    }
}

/// Reads the value of an entry.
async fn read(store: &PostgresStore, id: LedgerId, name: &str) -> Result<Option<Vec<u8>>, LedgerError> {
    Ok(store.load(LedgerKey::new(id, name)).await?.map(|entry| entry.value.to_vec()))
}

/// Repeats an operation until the server, which has just started, accepts connections.
async fn soon<T, E: std::fmt::Debug>(operation: impl AsyncFn() -> Result<T, E>) -> T {
    let start = Instant::now();
    loop {
        match operation().await {
            Ok(result) => return result,
            Err(error) => assert!(start.elapsed() < Duration::from_secs(60), "{error:?}"),
        }
        sleep(Duration::from_millis(20)).await;
    }
}
