//! Where calls and runs are stored.

#[cfg(feature = "postgres")]
mod postgres;

#[cfg(feature = "postgres")]
pub use self::postgres::{PostgresStore, PostgresStoreBuilder, PostgresStoreError};
