//! The stores that the instances of a world share, one of each kind.

use std::sync::Arc;

use mcp_runtime::{Ledger, MemoryLedger};

#[cfg(feature = "sqlite")]
use crate::support::directory::Directory;

/// A store for one test. Each instance has its own handle, as another process would.
pub(crate) enum Store {
    Memory(Arc<MemoryLedger>),
    #[cfg(feature = "sqlite")]
    Sqlite(Directory),
    /// A Redis store with unused keys. Most tests share one Redis server.
    #[cfg(all(feature = "redis", unix))]
    Redis(Arc<crate::support::redis_server::RedisServer>, String),
    /// An unused schema in a PostgreSQL database. Most tests share one server.
    #[cfg(all(feature = "postgres", unix))]
    #[allow(dead_code, reason = "the server runs as long as this value lives")]
    Postgres(Arc<crate::support::postgres_server::PostgresServer>, String),
}

impl Store {
    pub(crate) fn memory() -> Self {
        Self::Memory(Arc::default())
    }

    #[cfg(all(feature = "postgres", unix))]
    pub(crate) fn postgres(server: Arc<crate::support::postgres_server::PostgresServer>) -> Self {
        let url = server.schema();
        Self::Postgres(server, url)
    }

    /// Creates a store of each kind.
    pub(crate) fn all() -> Vec<Self> {
        #[cfg_attr(not(any(feature = "postgres", feature = "redis", feature = "sqlite")), expect(unused_mut))]
        let mut stores = vec![Self::memory()];
        #[cfg(feature = "sqlite")]
        stores.push(Self::Sqlite(Directory::new("ledger")));
        #[cfg(all(feature = "redis", unix))]
        stores.extend(
            crate::support::redis_server::shared()
                .map(|server| Self::Redis(server, crate::support::redis_server::prefix())),
        );
        #[cfg(all(feature = "postgres", unix))]
        stores.extend(crate::support::postgres_server::PostgresServer::shared().map(Self::postgres));
        stores
    }

    pub(crate) async fn open(&self) -> Arc<dyn Ledger> {
        match self {
            Self::Memory(ledger) => Arc::clone(ledger) as Arc<dyn Ledger>,
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => open_at(&self.address().unwrap()).await,
            #[cfg(all(feature = "redis", unix))]
            Self::Redis(..) => open_at(&self.address().unwrap()).await,
            #[cfg(all(feature = "postgres", unix))]
            Self::Postgres(..) => open_at(&self.address().unwrap()).await,
        }
    }

    /// Returns the name of the store, which the message of a failed test shows.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => "SQLite",
            #[cfg(all(feature = "redis", unix))]
            Self::Redis(..) => "Redis",
            #[cfg(all(feature = "postgres", unix))]
            Self::Postgres(..) => "PostgreSQL",
        }
    }

    /// Returns the address for other processes, if they can reach the store.
    #[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
    pub(crate) fn address(&self) -> Option<String> {
        match self {
            Self::Memory(_) => None,
            #[cfg(feature = "sqlite")]
            Self::Sqlite(directory) => Some(format!("sqlite {}", directory.path().join("ledger.db").display())),
            #[cfg(all(feature = "redis", unix))]
            Self::Redis(server, prefix) => Some(format!("redis {prefix} {}", server.url())),
            #[cfg(all(feature = "postgres", unix))]
            Self::Postgres(_, url) => Some(format!("postgres {url}")),
        }
    }
}

#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
pub(crate) async fn open_at(address: &str) -> Arc<dyn Ledger> {
    #[cfg(all(feature = "postgres", unix))]
    if let Some(url) = address.strip_prefix("postgres ") {
        return Arc::new(mcp_runtime::store::PostgresStore::connect(url).await.unwrap());
    }
    match address.splitn(3, ' ').collect::<Vec<_>>()[..] {
        ["memory"] => Arc::<MemoryLedger>::default(),
        #[cfg(feature = "sqlite")]
        ["sqlite", path] => Arc::new(mcp_runtime::store::SqliteStore::open(path).unwrap()),
        #[cfg(all(feature = "redis", unix))]
        ["redis", prefix, url] => {
            Arc::new(mcp_runtime::store::RedisStore::builder(url).prefix(prefix).durable().connect().await.unwrap())
        }
        _ => panic!("`{address}` is no store"),
    }
}
