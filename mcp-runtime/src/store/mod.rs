//! Stores that several processes of a server can share. Each keeps the records of calls and of runs.

#[cfg(feature = "redis")]
mod redis;

#[cfg(feature = "redis")]
pub use self::redis::{RedisStore, RedisStoreBuilder, RedisStoreError};
