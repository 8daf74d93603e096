//! The stores that the instances of a world share: one of each kind there is.

use std::sync::Arc;

use mcp_runtime::{Ledger, MemoryLedger};

/// A store of a test's own. Each instance has another handle on it, as in another process.
pub(crate) enum Store {
    Memory(Arc<MemoryLedger>),
    #[cfg(feature = "sqlite")]
    Sqlite(crate::sqlite::Place),
    /// With keys of its own, in a server that all tests share.
    #[cfg(all(feature = "redis", unix))]
    Redis(Arc<crate::redis::RedisServer>, String),
    /// In a server that may come back as it was before.
    #[cfg(all(feature = "redis", unix))]
    FleetingRedis(Arc<crate::redis::RedisServer>),
}

impl Store {
    pub(crate) fn memory() -> Self {
        Self::Memory(Arc::default())
    }

    /// A new one of each kind.
    pub(crate) fn all() -> Vec<Self> {
        #[cfg_attr(not(any(feature = "redis", feature = "sqlite")), expect(unused_mut))]
        let mut stores = vec![Self::memory()];
        #[cfg(feature = "sqlite")]
        stores.push(Self::Sqlite(crate::sqlite::Place::new()));
        #[cfg(all(feature = "redis", unix))]
        stores.extend(crate::redis::shared().map(|server| Self::Redis(server, crate::redis::prefix())));
        stores
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => "SQLite",
            #[cfg(all(feature = "redis", unix))]
            Self::Redis(..) | Self::FleetingRedis(_) => "Redis",
        }
    }

    pub(crate) async fn open(&self) -> Arc<dyn Ledger> {
        match self {
            Self::Memory(ledger) => Arc::clone(ledger) as Arc<dyn Ledger>,
            #[cfg(feature = "sqlite")]
            Self::Sqlite(place) => place.ledger(),
            #[cfg(all(feature = "redis", unix))]
            Self::Redis(server, prefix) => server.ledger(prefix).await,
            #[cfg(all(feature = "redis", unix))]
            Self::FleetingRedis(server) => server.fleeting_ledger().await,
        }
    }
}
