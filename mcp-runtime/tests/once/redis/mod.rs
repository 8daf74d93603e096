//! The ledger in Redis, with real servers that stop, lose data, fill up and stall.

mod connecting;
mod conversing;
mod losing;
mod server;
mod sharing;

pub(crate) use self::server::{RedisServer, prefix, shared};

use std::time::Duration;

use mcp_runtime::{Ledger, LedgerError, LedgerId, LedgerKey, LedgerVersion, RedisLedger, Swapped};

const LONG: Duration = Duration::from_secs(600);

async fn connect(server: &RedisServer) -> RedisLedger {
    RedisLedger::builder(&server.url()).durable().connect().await.unwrap()
}

/// Writes an entry that does not exist yet.
async fn write(ledger: &RedisLedger, id: LedgerId, name: &str) -> Result<LedgerVersion, LedgerError> {
    match ledger.swap(LedgerKey::new(id, name), None, name.as_bytes().into(), LONG, None).await? {
        Swapped::Done(version) => Ok(version),
        swapped => panic!("`{name}`: {swapped:?}"),
    }
}

/// Reads the value of an entry.
async fn read(ledger: &RedisLedger, id: LedgerId, name: &str) -> Result<Option<Vec<u8>>, LedgerError> {
    Ok(ledger.load(LedgerKey::new(id, name)).await?.map(|entry| entry.value.to_vec()))
}
