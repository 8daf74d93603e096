//! The stores that the instances of a test share, one of each kind, and servers of stores that a test stops.

use std::sync::Arc;

use mcp_runtime::{
    runs::{MemoryRunStore, RunStore},
    store::{Ledger, MemoryLedger},
};

use crate::support::directory::Directory;
#[cfg(unix)]
use crate::support::postgres_server::PostgresServer;
#[cfg(unix)]
use crate::support::redis_server::{self, RedisServer};

/// A store for one test. Each instance opens it for itself, as another process would.
pub(crate) enum Store {
    Memory(OpenStore),
    Sqlite(Arc<Directory>),
    /// A Redis store with unused keys. Most tests share one Redis server.
    #[cfg(unix)]
    Redis(Arc<RedisServer>, String),
    /// An unused schema in a PostgreSQL database. Most tests share one server.
    #[cfg(unix)]
    #[allow(dead_code, reason = "the server runs as long as this value lives")]
    Postgres(Arc<PostgresServer>, String),
}

/// A store as one instance has opened it.
#[derive(Clone)]
pub(crate) struct OpenStore {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) runs: Arc<dyn RunStore>,
}

impl Store {
    pub(crate) fn memory() -> Self {
        Self::Memory(OpenStore::memory())
    }

    #[cfg(unix)]
    pub(crate) fn postgres(server: Arc<PostgresServer>) -> Self {
        let url = server.schema();
        Self::Postgres(server, url)
    }

    #[cfg(unix)]
    pub(crate) fn redis(server: Arc<RedisServer>) -> Self {
        Self::Redis(server, redis_server::prefix())
    }

    /// Creates a store of each kind.
    pub(crate) fn all() -> Vec<Self> {
        let mut stores = vec![Self::memory()];
        stores.extend(Self::of_processes());
        stores
    }

    /// Creates a store of each kind that other processes can reach.
    pub(crate) fn of_processes() -> Vec<Self> {
        let mut stores = Vec::new();
        stores.push(Self::Sqlite(Arc::new(Directory::new("store"))));
        #[cfg(unix)]
        stores.extend(redis_server::shared().map(Self::redis));
        #[cfg(unix)]
        stores.extend(PostgresServer::shared().map(Self::postgres));
        stores
    }

    pub(crate) async fn open(&self) -> OpenStore {
        match self {
            Self::Memory(store) => store.clone(),

            _ => open_at(&self.address()).await,
        }
    }

    pub(crate) async fn ledger(&self) -> Arc<dyn Ledger> {
        self.open().await.ledger
    }

    pub(crate) async fn runs(&self) -> Arc<dyn RunStore> {
        self.open().await.runs
    }

    /// Returns the name of the store, which the message of a failed test shows.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            Self::Sqlite(_) => "SQLite",
            #[cfg(unix)]
            Self::Redis(..) => "Redis",
            #[cfg(unix)]
            Self::Postgres(..) => "PostgreSQL",
        }
    }

    /// Returns the address for other processes. A process that opens a store in memory has one of its own.
    pub(crate) fn address(&self) -> String {
        match self {
            Self::Memory(_) => "memory".to_owned(),
            Self::Sqlite(directory) => format!("sqlite {}", directory.path().join("store.db").display()),
            #[cfg(unix)]
            Self::Redis(server, prefix) => format!("redis {prefix} {}", server.url()),
            #[cfg(unix)]
            Self::Postgres(_, url) => format!("postgres {url}"),
        }
    }
}

impl OpenStore {
    fn memory() -> Self {
        Self { ledger: Arc::<MemoryLedger>::default(), runs: Arc::<MemoryRunStore>::default() }
    }

    fn of(store: impl Ledger + RunStore + Clone) -> Self {
        Self { ledger: Arc::new(store.clone()), runs: Arc::new(store) }
    }
}

pub(crate) async fn open_at(address: &str) -> OpenStore {
    #[cfg(unix)]
    if let Some(url) = address.strip_prefix("postgres ") {
        return OpenStore::of(mcp_runtime::store::PostgresStore::connect(url).await.unwrap());
    }
    match address.splitn(3, ' ').collect::<Vec<_>>()[..] {
        ["memory"] => OpenStore::memory(),
        ["sqlite", path] => OpenStore::of(mcp_runtime::store::SqliteStore::open(path).unwrap()),
        #[cfg(unix)]
        ["redis", prefix, url] => {
            let store = mcp_runtime::store::RedisStore::builder(url).prefix(prefix).durable();
            OpenStore::of(store.connect().await.unwrap())
        }
        _ => panic!("`{address}` is not the address of a store"),
    }
}

/// A server of a store that one test uses, and that loses nothing when it is killed.
#[cfg(unix)]
pub(crate) enum StoreServer {
    Redis(Arc<RedisServer>),
    Postgres(Arc<PostgresServer>),
}

#[cfg(unix)]
impl StoreServer {
    /// Starts a server of each kind that is installed.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let starts: [fn() -> Option<Self>; _] = [
            || RedisServer::durable().map(Arc::new).map(Self::Redis),
            || PostgresServer::start(&[]).map(Arc::new).map(Self::Postgres),
        ];
        starts.into_iter().filter_map(|start| start())
    }

    /// Returns the one store that the server has.
    pub(crate) fn store(&self) -> Store {
        match self {
            Self::Redis(server) => Store::Redis(Arc::clone(server), "mcp".to_owned()),
            Self::Postgres(server) => Store::Postgres(Arc::clone(server), server.url()),
        }
    }

    pub(crate) fn kill(&self) {
        match self {
            Self::Redis(server) => server.kill(),
            Self::Postgres(server) => server.kill(),
        }
    }

    pub(crate) fn start_again(&self) {
        match self {
            Self::Redis(server) => server.start_again(),
            Self::Postgres(server) => server.start_again(),
        }
    }

    pub(crate) fn empty(&self) {
        match self {
            Self::Redis(server) => server.empty(),
            Self::Postgres(server) => {
                server.sql("TRUNCATE mcp_ledger, mcp_ledger_entry, mcp_ledger_finished, mcp_run, mcp_run_beat");
            }
        }
    }
}
