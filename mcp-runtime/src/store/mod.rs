//! Where calls and runs are stored.

#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "redis")]
mod redis;

#[cfg(feature = "postgres")]
pub use self::postgres::{PostgresStore, PostgresStoreBuilder, PostgresStoreError};
#[cfg(feature = "redis")]
pub use self::redis::{RedisStore, RedisStoreBuilder, RedisStoreError};
