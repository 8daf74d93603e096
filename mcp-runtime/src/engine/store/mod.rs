//! Where calls and runs are stored.
//!
//! A server has a store. It holds the [ledger](crate::store::Ledger), which makes each round of a call run once, the
//! [runs](crate::runs), and the calls of [plugins](crate::plugin). [`Server::store`](crate::Server::store) sets
//! it, and [`open`] opens the one that an address names:
//!
//! | the server is | store | what survives |
//! | --- | --- | --- |
//! | one process | [`MemoryStore`], the default | nothing |
//! | one machine, one process or several | `SqliteStore` (feature `sqlite`) | the end of the process |
//! | many machines | `PostgresStore` (feature `postgres`), or `RedisStore` (feature `redis`) | the end of any process and machine |
//!
//! A server with more calls than one store can take has several: [`capacity`](crate::guide::capacity) says how many.
//! [`surviving`](crate::guide::surviving) says what that means for calls, fault by fault. A store of your own implements
//! [`Ledger`](crate::store::Ledger), [`RunStore`](crate::runs::RunStore) and [`Store`]; the feature `testing` has tests for the
//! first two (`testing::ledger_contract`, `testing::run_store_contract`).

mod late;
mod listener;
mod memory;
mod open;
mod parts;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "redis")]
mod redis;
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
pub(crate) mod time;

pub(crate) use self::parts::StoreMigration;
#[cfg(feature = "postgres")]
pub use self::postgres::{PostgresStore, PostgresStoreBuilder, PostgresStoreError};
#[cfg(feature = "redis")]
pub use self::redis::{RedisStore, RedisStoreBuilder, RedisStoreError};
#[cfg(feature = "sqlite")]
pub use self::sqlite::{SqliteStore, SqliteStoreError};
pub use self::{
    memory::MemoryStore,
    open::{StoreOpenError, open},
    parts::{Store, StoreParts},
};
#[cfg(feature = "seal")]
pub use crate::engine::durable::seal::{KeyRing, KeyRingError};
pub use crate::engine::{
    call::{lease::LedgerError, ledger_time::LedgerTime},
    durable::{
        Once,
        ledger::{
            Ledger, LedgerCapacity, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, MemoryLedger,
            Swapped,
        },
    },
};
