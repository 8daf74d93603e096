//! Opens the store that an address names.

use std::{error::Error, fmt};

use super::{MemoryStore, Store, StoreParts, late::LateLedger};
use crate::{base::report::report, engine::runs::MemoryRunStore};

/// Begins the address of a store that gets no new calls.
const DRAINING: &str = "draining:";

/// The reason why [`open`] failed: the error of a store, or an address that names no store.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct StoreOpenError(Box<dyn Error + Send + Sync>);

impl StoreOpenError {
    fn is_unreachable(&self) -> bool {
        #[cfg(feature = "postgres")]
        if let Some(error) = self.0.downcast_ref::<super::PostgresStoreError>() {
            return error.is_unreachable();
        }
        #[cfg(feature = "redis")]
        if let Some(error) = self.0.downcast_ref::<super::RedisStoreError>() {
            return error.is_unreachable();
        }
        false
    }
}

/// Returns the parts of an opened store, or an error if the feature of the store is not enabled.
macro_rules! if_enabled {
    ($feature:literal, $opened:expr) => {{
        #[cfg(feature = $feature)]
        return $opened.map(Store::into_parts).map_err(|error| StoreOpenError(error.into()));
        #[cfg(not(feature = $feature))]
        Err(StoreOpenError(
            concat!("the address of the store needs the feature `", $feature, "` of `mcp-runtime`").into(),
        ))
    }};
}

/// Opens the store that the address names, so that one environment variable or argument of a program chooses it.
///
/// | address | store |
/// | --- | --- |
/// | `memory` | [`MemoryStore`] |
/// | `postgres://…` or `postgresql://…` | `PostgresStore` (feature `postgres`) |
/// | `redis://…`, `rediss://…` or `unix://…` | `RedisStore` (feature `redis`) |
/// | `sqlite:PATH`, or a path | `SqliteStore` (feature `sqlite`) |
///
/// All settings of the store are the defaults.
///
/// Several URLs with spaces between them name several stores, among which the calls are spread; see
/// [`StoreParts::shard`]. A store whose URL begins with `draining:` gets no new calls:
///
/// ```sh
/// FLIGHTS_STORE='redis://one redis://two draining:redis://three'
/// ```
///
/// ```
/// use mcp_runtime::{Server, store};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let address = std::env::var("FLIGHTS_STORE").unwrap_or_else(|_| "memory".to_owned());
/// let server = Server::new("flights", "1.0.0").store(store::open(&address).await?);
/// # drop(server);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if a store cannot be opened, if the feature of a store is not enabled, or if the first of several stores
/// drains. Of several stores, only the first must be reachable: the others are tried again later.
pub async fn open(address: &str) -> Result<StoreParts, StoreOpenError> {
    // The path of a file can contain spaces.
    let urls = || address.split_whitespace();
    if !address.contains("://") || urls().count() < 2 {
        return open_one(address).await;
    }
    let mut urls = urls();
    let first = urls.next().unwrap_or_default();
    if first.starts_with(DRAINING) {
        let words = "the first store must not be `draining:`, because it also has the runs and the calls with an \
                     idempotency key";
        return Err(StoreOpenError(words.into()));
    }
    let mut parts = open_one(first).await?;
    for url in urls {
        parts = match url.strip_prefix(DRAINING) {
            Some(url) => parts.draining_shard(open_shard(url).await?),
            None => parts.shard(open_shard(url).await?),
        };
    }
    Ok(parts)
}

/// Opens a store among several. If it cannot be reached, its calls wait, but those of the other stores do not.
async fn open_shard(url: &str) -> Result<StoreParts, StoreOpenError> {
    match open_one(url).await {
        Err(error) if error.is_unreachable() => {
            report!("the server starts without one of its stores, and tries it again later: {error}");
            Ok(StoreParts::new(LateLedger::new(url), MemoryRunStore::new()))
        }
        opened => opened,
    }
}

pub(super) async fn open_one(address: &str) -> Result<StoreParts, StoreOpenError> {
    let of = |schemes: &[&str]| schemes.iter().any(|scheme| address.starts_with(scheme));
    if address == "memory" {
        Ok(MemoryStore::new().into_parts())
    } else if of(&["postgres://", "postgresql://"]) {
        if_enabled!("postgres", super::PostgresStore::connect(address).await)
    } else if of(&["redis://", "rediss://", "unix://"]) {
        if_enabled!("redis", super::RedisStore::connect(address).await)
    } else if address.contains("://") {
        let words = "the address of the store begins with an unknown scheme: write `postgres://…`, `redis://…`, the path \
                     of a SQLite file, or `memory`";
        Err(StoreOpenError(words.into()))
    } else {
        if_enabled!("sqlite", super::SqliteStore::open(address.strip_prefix("sqlite:").unwrap_or(address)))
    }
}

/// The URL of a store. Its debug output does not contain the URL, because a URL can contain a password.
#[derive(Clone)]
pub(super) struct StoreUrl(pub(super) String);

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn error(address: &str) -> String {
        open(address).await.unwrap_err().to_string()
    }

    #[cfg(all(feature = "postgres", feature = "redis", feature = "sqlite"))]
    #[tokio::test]
    async fn an_address_chooses_the_store() {
        let memory = open("memory").await.unwrap();
        assert!(!memory.ledgers.is_shared() && !memory.runs.outlives_process());
        assert!(error("postgres://ann@127.0.0.1:1/app").await.starts_with("PostgreSQL at `127.0.0.1`"));
        assert!(error("redis://127.0.0.1:1").await.starts_with("Redis at "));
        for address in ["/no/such/directory/app.db", "sqlite:/no/such/directory/app.db"] {
            assert!(error(address).await.starts_with("the store `/no/such/directory/app.db` cannot be created"));
        }
        let unknown = error("mysql://ann:hunter2@localhost").await;
        assert!(unknown.contains("unknown scheme") && !unknown.contains("hunter2"), "{unknown}");
    }

    #[cfg(feature = "redis")]
    #[tokio::test]
    async fn each_address_of_a_list_is_a_store() {
        let first = error("redis://127.0.0.1:1 mysql://localhost").await;
        assert!(first.starts_with("Redis at 127.0.0.1:1"), "{first}");
        let drains = error("draining:redis://127.0.0.1:1 redis://127.0.0.1:2").await;
        assert!(drains.starts_with("the first store must not be `draining:`"), "{drains}");
    }
}
