//! The ledger in Redis, with real servers that stop, lose data, fill up and stall.

mod connecting;
mod conversing;
mod losing;
mod sharing;

use std::time::Duration;

use mcp_runtime::store::{Ledger, LedgerError, LedgerId, LedgerKey, LedgerVersion, RedisStore, Swapped};

use crate::support::redis_server::{RedisServer, prefix, shared};

const LONG: Duration = Duration::from_secs(600);

async fn connect(server: &RedisServer) -> RedisStore {
    RedisStore::builder(&server.url()).durable().connect().await.unwrap()
}

/// Ends the second for which a store relies on what it has found in the memory of Redis.
fn a_second_passes(server: &RedisServer) {
    for key in server.keys().iter().filter(|key| key.ends_with(":ledger")) {
        assert_eq!(server.command(&format!("HSET {key} checked_until 0")), ":0");
    }
}

/// Writes an entry that does not exist yet.
async fn write(ledger: &RedisStore, id: LedgerId, name: &str) -> Result<LedgerVersion, LedgerError> {
    match ledger.swap(LedgerKey::new(id, name), None, name.as_bytes().into(), LONG, None).await? {
        Swapped::Done(version) => Ok(version),
        swapped => panic!("`{name}`: {swapped:?}"),
    }
}

/// Reads the value of an entry.
async fn read(ledger: &RedisStore, id: LedgerId, name: &str) -> Result<Option<Vec<u8>>, LedgerError> {
    Ok(ledger.load(LedgerKey::new(id, name)).await?.map(|entry| entry.value.to_vec()))
}
