//! The errors of the Redis store.

use redis::{RedisError, ServerErrorKind};

/// The reason why [`RedisStore`](crate::store::RedisStore) cannot connect to Redis or cannot use it.
///
/// The text of the error never contains a password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedisStoreError {
    /// The URL is invalid. The text does not repeat the URL, because a URL can contain a password.
    #[error(
        "the URL of Redis cannot be read: write `redis://[user:password@]host[:port][/database]`, `rediss://…` for TLS, \
         or `unix:///path/to/socket`; percent-encode all characters of a password except letters and digits"
    )]
    Url,
    /// The prefix is empty, too long, or has invalid characters.
    #[error("the prefix of the Redis keys is invalid: use 1 to 64 ASCII letters, digits, `-`, `_`, `.` or `:`")]
    Prefix,
    /// Redis can evict entries to make room. If it evicted the record of a call, that call could run again.
    #[error(
        "Redis at {address} can evict records of open calls, because its `maxmemory-policy` is `{policy}`: set \
         `maxmemory-policy noeviction` in redis.conf or in the settings of the service that runs Redis, or run \
         `redis-cli CONFIG SET maxmemory-policy noeviction`; if a cache needs `{policy}`, run a second Redis for \
         this ledger"
    )]
    Evicts {
        /// The address of Redis.
        address: String,
        /// The `maxmemory-policy` of this Redis.
        policy: String,
    },
    /// Redis has too little memory for something new. A tenth of the memory is for what is stored already.
    #[error(
        "Redis at {address} is full: nine tenths of its `maxmemory` are used; raise `maxmemory`, or lower the limits of \
         what is stored"
    )]
    Full {
        /// The address of Redis.
        address: String,
    },
    /// Redis does not answer, or answers with an error.
    #[error("Redis at {address} {advice}: {said}")]
    Failed {
        /// The address of Redis.
        address: String,
        /// What is wrong with Redis, and what the operator can do.
        advice: &'static str,
        /// The error of Redis, the operating system or the client library.
        said: String,
    },
}

const UNREACHABLE: &str = "cannot be reached";
pub(super) const LATE: &str = "does not answer in time";
const LOADING: &str = "is still reading its data";

impl RedisStoreError {
    /// Whether another try can succeed although nobody changes a setting.
    pub(in crate::engine::store) fn is_unreachable(&self) -> bool {
        matches!(self, Self::Failed { advice: UNREACHABLE | LATE | LOADING, .. })
    }
}

/// Returns text that says what is wrong with Redis, and what the operator can do.
pub(super) fn advice(error: &RedisError) -> &'static str {
    use redis::ErrorKind::{AuthenticationFailed, Server};
    match error.kind() {
        AuthenticationFailed => "refuses the user or the password of the URL",
        Server(ServerErrorKind::NoPerm) => {
            "does not let this user run the commands of a store (grant `+@scripting +@hash +@sortedset +@string \
             +@bitmap +@pubsub +del +info +time` on its keys and channels)"
        }
        Server(ServerErrorKind::ReadOnly) => "is a replica (name the primary in the URL)",
        Server(ServerErrorKind::Moved | ServerErrorKind::Ask) => {
            "is a cluster node without the store's keys (put the address from the following error into the URL, or \
             choose another prefix)"
        }
        Server(ServerErrorKind::BusyLoading) => LOADING,
        _ if error.code() == Some("NOAUTH") => "asks for a password (write `redis://:password@host`)",
        _ if error.is_timeout() => LATE,
        _ if error.is_io_error() => UNREACHABLE,
        _ => "cannot run an operation of the store",
    }
}
