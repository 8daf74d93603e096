//! Why a Redis is no ledger.

use redis::{RedisError, ServerErrorKind};

/// Why [`RedisLedger`](crate::RedisLedger) has no connection, or cannot use the Redis it is connected to.
///
/// It never repeats a password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedisLedgerError {
    /// The URL cannot be read. It is not repeated, for it may hold a password.
    #[error(
        "the URL of Redis cannot be read: write `redis://[user:password@]host[:port][/database]`, `rediss://…` for TLS, \
         or `unix:///path/to/socket`; what is no letter or digit in a password is percent-encoded"
    )]
    Url,
    /// The prefix is empty, too long, or has other characters.
    #[error("a prefix of keys in Redis has 1 to 64 ASCII letters, digits, `-`, `_`, `.` and `:`")]
    Prefix,
    /// The feature that adds TLS is off.
    #[error("`rediss://` needs TLS: add the feature `redis-tls` of `mcp-runtime`")]
    Tls,
    /// Redis removes entries to make room: a call whose record is gone could run again.
    #[error(
        "Redis at {address} may remove records of open calls, for its `maxmemory-policy` is `{policy}`: set \
         `maxmemory-policy noeviction` in redis.conf or in the settings of the service that runs it, or by \
         `redis-cli CONFIG SET maxmemory-policy noeviction`; if a cache needs the other policy, run a second Redis for \
         this ledger"
    )]
    Evicts {
        /// Where Redis is.
        address: String,
        /// Its policy.
        policy: String,
    },
    /// Redis does not answer, or says no.
    #[error("Redis at {address} {advice}: {said}")]
    Failed {
        /// Where Redis is.
        address: String,
        /// What is wrong, and what to do.
        advice: &'static str,
        /// In the words of Redis, of the system, or of the client.
        said: String,
    },
}

/// What is wrong, and what to do.
pub(super) fn advice(error: &RedisError) -> &'static str {
    use redis::ErrorKind::{AuthenticationFailed, Server};
    match error.kind() {
        AuthenticationFailed => "refuses the user or the password of the URL",
        Server(ServerErrorKind::NoPerm) => {
            "does not let this user do what a ledger does (grant `+@scripting +@hash +@sortedset +@string +@bitmap +del +info +time` on its keys)"
        }
        Server(ServerErrorKind::ReadOnly) => "is a replica (name the primary in the URL)",
        Server(ServerErrorKind::Moved | ServerErrorKind::Ask) => {
            "is a node of a cluster that does not have the ledger's keys (name the node that follows in the URL, or choose \
             another prefix)"
        }
        Server(ServerErrorKind::BusyLoading) => "is still reading its data",
        _ if error.code() == Some("NOAUTH") => "asks for a password (write `redis://:password@host`)",
        _ if error.is_timeout() => "does not answer in time",
        _ if error.is_io_error() => "is not reached",
        _ => "does not do what a ledger asks of it",
    }
}
