//! Opens the store that an address names.

use std::{error::Error, fmt};

use super::{MemoryStore, Store, StoreParts};

/// The reason why [`open`] failed: the error of the store, or an address that names no store.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct StoreOpenError(Box<dyn Error + Send + Sync>);

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
/// Fails if the store cannot be opened, or if the feature of the store is not enabled.
pub async fn open(address: &str) -> Result<StoreParts, StoreOpenError> {
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
        assert!(!memory.ledger.is_shared() && !memory.runs.outlives_process());
        assert!(error("postgres://ann@127.0.0.1:1/app").await.starts_with("PostgreSQL at `127.0.0.1`"));
        assert!(error("redis://127.0.0.1:1").await.starts_with("Redis at "));
        for address in ["/no/such/directory/app.db", "sqlite:/no/such/directory/app.db"] {
            assert!(error(address).await.starts_with("the store `/no/such/directory/app.db` cannot be created"));
        }
        let unknown = error("mysql://ann:hunter2@localhost").await;
        assert!(unknown.contains("unknown scheme") && !unknown.contains("hunter2"), "{unknown}");
    }
}
