//! A ledger in Redis, for many instances.
//!
//! The ledger needs one connection that all tasks share and that reconnects. The `redis` crate has such a connection
//! and is maintained. The last release of the alternative, `fred`, is from February 2025. The API does not expose the
//! `redis` crate, so that this crate can be replaced.

mod connection;
mod error;
mod ledger;
#[cfg(feature = "runs")]
mod runs;
mod scripts;

use std::{fmt, sync::Arc, time::Duration};

use self::connection::RedisConnection;
pub use self::error::RedisStoreError;

const PREFIX: &str = "mcp";
/// The default time for which the reply of a finished call is kept.
const REPLIES: Duration = Duration::from_secs(5 * 60);
/// The longest time for which an entry is kept. The limit makes the expiry fit into a Lua number.
const AGES: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// A [`Ledger`] in Redis. Any instance of a server can resume the calls of the other instances.
///
/// Every instance needs the same Redis and the same keys ([`KeyRing`](crate::KeyRing)). Then a load balancer can send
/// each round of a call to any instance.
///
/// ```no_run
/// use mcp_runtime::{RedisStore, Server};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let ledger = RedisStore::connect("redis://redis.example.internal").await?;
/// let server = Server::new("flights", "1.0.0").ledger(ledger);
/// # Ok(())
/// # }
/// ```
///
/// # Guarantees
///
/// These guarantees hold if Redis keeps what it has acknowledged:
///
/// - If a client sends the same round twice, even to different instances, the second request gets the reply of the
///   first request, or waits for this reply. Only the answers in the first request count.
/// - If an instance dies between two rounds, the call is not affected. If an instance dies during a round, another
///   instance takes over when the lease has expired (30 s). If `after` or a step had begun, the outcome is unknown: the
///   client gets an error that says so, and nothing begins a second time.
/// - If an instance stalls for longer than its lease, it cannot write any more. The result of the instance that took
///   over counts.
/// - While Redis is unavailable, nothing begins and nothing is lost, and clients can retry the same request. The
///   connection is restored automatically.
/// - If Redis was emptied, replaced or restarted, it counts as another ledger. Open calls end with an error that says
///   so, and never run again. If Redis is declared [durable](RedisStoreBuilder::durable), open calls continue after a
///   restart.
///
/// # For operators
///
/// **Memory.** `maxmemory-policy` must be `noeviction`. With another policy the server does not start, because Redis
/// could evict the record of an open call, and this call could run again. New calls are rejected when nine tenths of
/// `maxmemory` are used. The rest is for open calls. A finished call leaves one bit until it expires, and its reply for
/// [5 minutes](RedisStoreBuilder::keep_replies). A call with an idempotency key takes about 700 bytes instead of that
/// bit.
///
/// **Restarts.** A Redis that restarts, or a replica that takes over, can have lost acknowledged writes. Without an
/// append-only file, it has lost all writes since the last snapshot. With `appendfsync everysec`, it can have lost the
/// writes of two seconds. A replica lacks the writes that had not reached it. Calls whose claims were lost could run
/// again. So a restarted Redis counts as another ledger, and open calls end. If Redis loses nothing, declare this with
/// [`durable`](RedisStoreBuilder::durable), and the calls continue. To lose nothing, a Redis that may restart needs
/// `appendonly yes` and `appendfsync always`. `everysec` is not enough.
///
/// **Failover.** The ledger does not wait for replication. Even with an append-only file, a replica that takes over can
/// lack the last writes; `min-replicas-to-write 1` narrows the gap but does not close it. If you declare a Redis with
/// such a replica [`durable`](RedisStoreBuilder::durable), open calls continue after a failover, and a call whose
/// claim was lost **can run again**. So pass the idempotency key of the call
/// ([`PhaseCtx::idempotency_key`](crate::PhaseCtx::idempotency_key)) to services that must not act twice, such as
/// payments. Without `durable` no call runs again. A managed service is durable if it stores its log on several
/// machines before it acknowledges a write. The URL must lead to the primary, never to a replica.
///
/// **Cluster.** All keys of a prefix are on one node. Name that node in the URL.
///
/// **Keys.** Keys begin with `{mcp}:`, or with [your own prefix](RedisStoreBuilder::prefix). Only replies have a time
/// to live. Each write removes a few expired entries. Do not remove single keys. You can remove all keys when no server
/// uses the ledger any more.
///
/// **Clocks.** Entries and states expire by the ledger's own time. Every write stores that time in `{mcp}:ledger`. This
/// time never runs backwards, because it is the latest of three times: the stored time, the wall clock of Redis, and
/// the last time that the instance has seen plus the monotonic time since then. The wall clocks of the instances do not
/// matter. If the clock of Redis is set back, nothing changes; if it jumps ahead, open calls expire early.
///
/// # Cost
///
/// An operation is one round trip, and takes about 60 µs of the single thread of Redis. A round of a call is one load
/// and three swaps. An operation that takes longer than 3 s fails.
///
/// Clones share the same ledger and connection. The connection belongs to the async runtime that created it.
#[derive(Clone)]
pub struct RedisStore(Arc<RedisConnection>);

/// Builds a connection to Redis. See [`RedisStore::builder`].
#[derive(Clone)]
#[must_use]
pub struct RedisStoreBuilder {
    url: String,
    prefix: String,
    durable: bool,
    replies: Duration,
}

impl RedisStore {
    /// Connects to Redis. `url` is `redis://[user:password@]host[:port][/database]`, `unix:///path/to/socket` or, with
    /// the feature `redis-tls`, `rediss://…`.
    ///
    /// # Errors
    ///
    /// Fails if Redis does not answer within 3 s, rejects the user, or can evict entries.
    pub async fn connect(url: &str) -> Result<Self, RedisStoreError> {
        Self::builder(url).connect().await
    }

    /// Creates a builder, for a connection whose settings are not the defaults.
    ///
    /// ```no_run
    /// use mcp_runtime::RedisStore;
    ///
    /// # async fn example() -> Result<(), mcp_runtime::RedisStoreError> {
    /// let ledger = RedisStore::builder("redis://redis.example.internal").prefix("flights").connect().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder(url: &str) -> RedisStoreBuilder {
        RedisStoreBuilder { url: url.to_owned(), prefix: PREFIX.to_owned(), durable: false, replies: REPLIES }
    }
}

impl RedisStoreBuilder {
    /// Sets the prefix of the keys. With `flights`, all keys begin with `{flights}:`. If two servers share a Redis but
    /// not a ledger, they need different prefixes. A prefix has 1 to 64 ASCII letters, digits, `-`, `_`, `.` and `:`.
    /// Default: `mcp`.
    pub fn prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.prefix);
        self
    }

    /// Declares that this Redis keeps all acknowledged writes, even when it restarts or a replica takes over. With this
    /// setting, open calls continue after such an event. If Redis still loses the record of a call, that call can run
    /// again.
    ///
    /// Use this with `appendonly yes` and `appendfsync always`, or with a service that has an equivalent log. Use the
    /// same setting on all instances.
    pub fn durable(mut self) -> Self {
        self.durable = true;
        self
    }

    /// Sets how long Redis keeps the reply of a finished call. Default: 5 minutes. If a client repeats the call later,
    /// the client gets an error saying that the reply is no longer stored, and nothing runs again.
    pub fn keep_replies(mut self, replies: Duration) -> Self {
        self.replies = replies;
        self
    }

    /// Connects to Redis.
    ///
    /// # Errors
    ///
    /// Fails if Redis does not answer within 3 s, rejects the user, or can evict entries.
    pub async fn connect(self) -> Result<RedisStore, RedisStoreError> {
        Ok(RedisStore(Arc::new(RedisConnection::connect(self).await?)))
    }
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RedisConnection { address, prefix, .. } = &*self.0;
        f.debug_struct("RedisStore").field("address", address).field("prefix", prefix).finish_non_exhaustive()
    }
}

impl fmt::Debug for RedisStoreBuilder {
    /// Omits the URL, because it can contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { prefix, durable, replies, .. } = self;
        f.debug_struct("RedisStoreBuilder")
            .field("prefix", prefix)
            .field("durable", durable)
            .field("replies", replies)
            .finish_non_exhaustive()
    }
}
