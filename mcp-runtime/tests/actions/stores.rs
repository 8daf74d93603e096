//! The stores of runs that several processes can share, one of each kind.

use std::sync::Arc;

use mcp_runtime::runs::{MemoryRunStore, RunStore};

#[cfg(feature = "sqlite")]
use crate::support::directory::Directory;

/// A store for one test. Each handle stands for a process.
pub(crate) enum Store {
    Memory(Arc<MemoryRunStore>),
    #[cfg(feature = "sqlite")]
    Sqlite(Directory),
    /// A Redis store with unused keys. Most tests share one Redis server.
    #[cfg(all(feature = "redis", unix))]
    Redis(Arc<crate::support::redis_server::RedisServer>, String),
    /// The address of an unused schema of the PostgreSQL server that most tests share.
    #[cfg(all(feature = "postgres", unix))]
    Postgres(String),
}

impl Store {
    /// Creates a store of each kind.
    pub(crate) fn all() -> Vec<Self> {
        let mut stores = vec![Self::Memory(Arc::default())];
        stores.extend(Self::of_processes());
        stores
    }

    /// Creates a store of each kind that other processes can reach.
    pub(crate) fn of_processes() -> Vec<Self> {
        #[cfg_attr(not(any(feature = "postgres", feature = "redis", feature = "sqlite")), expect(unused_mut))]
        let mut stores = Vec::new();
        #[cfg(feature = "sqlite")]
        stores.push(Self::Sqlite(Directory::new("runs")));
        #[cfg(all(feature = "redis", unix))]
        stores.extend(
            crate::support::redis_server::shared()
                .map(|server| Self::Redis(server, crate::support::redis_server::prefix())),
        );
        #[cfg(all(feature = "postgres", unix))]
        stores.extend(
            crate::support::postgres_server::PostgresServer::shared().map(|server| Self::Postgres(server.schema())),
        );
        stores
    }

    pub(crate) async fn open(&self) -> Arc<dyn RunStore> {
        match self {
            Self::Memory(store) => Arc::clone(store) as Arc<dyn RunStore>,
            #[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
            _ => open_at(&self.address()).await,
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
            Self::Postgres(_) => "PostgreSQL",
        }
    }

    /// Returns the address for other processes.
    #[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
    pub(crate) fn address(&self) -> String {
        match self {
            Self::Memory(_) => "memory".to_owned(),
            #[cfg(feature = "sqlite")]
            Self::Sqlite(directory) => format!("sqlite {}", directory.path().join("runs.db").display()),
            #[cfg(all(feature = "redis", unix))]
            Self::Redis(server, prefix) => format!("redis {prefix} {}", server.url()),
            #[cfg(all(feature = "postgres", unix))]
            Self::Postgres(url) => format!("postgres {url}"),
        }
    }
}

#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
pub(crate) async fn open_at(address: &str) -> Arc<dyn RunStore> {
    #[cfg(all(feature = "postgres", unix))]
    if let Some(url) = address.strip_prefix("postgres ") {
        return Arc::new(mcp_runtime::store::PostgresStore::connect(url).await.unwrap());
    }
    match address.splitn(3, ' ').collect::<Vec<_>>()[..] {
        #[cfg(feature = "sqlite")]
        ["sqlite", path] => Arc::new(mcp_runtime::store::SqliteStore::open(path).unwrap()),
        #[cfg(all(feature = "redis", unix))]
        ["redis", prefix, url] => {
            Arc::new(mcp_runtime::store::RedisStore::builder(url).prefix(prefix).durable().connect().await.unwrap())
        }
        _ => panic!("`{address}` is not the address of a store"),
    }
}
