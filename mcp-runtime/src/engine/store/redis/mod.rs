//! A store in Redis, for many instances.
//!
//! The store needs one connection that all tasks share and that reconnects. The `redis` crate has such a connection
//! and is maintained. The last release of the alternative, `fred`, is from February 2025. The API does not expose the
//! `redis` crate, so that this crate can be replaced.

mod connection;
mod error;
mod ledger;
mod library;
mod runs;

use std::{fmt, sync::Arc, time::Duration};

use self::connection::RedisConnection;
pub use self::error::RedisStoreError;
use super::{
    open::StoreUrl,
    parts::{Store, StoreParts},
    time::REPLIES,
};

const PREFIX: &str = "mcp";

/// A store in Redis (version 7 or newer), which any number of instances of a server share: the
/// [`Ledger`](crate::store::Ledger) of calls, and the [runs](crate::runs).
///
/// Any instance can resume the calls of the other instances, and can show, answer and cancel their runs. Every instance
/// needs the same Redis and the same keys ([`KeyRing`](crate::store::KeyRing)). Then a load balancer can send each request to
/// any instance.
///
/// ```no_run
/// use mcp_runtime::{Server, store::RedisStore};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let store = RedisStore::connect("redis://redis.example.internal").await?;
/// let server = Server::new("flights", "1.0.0").store(store);
/// # Ok(())
/// # }
/// ```
///
/// # Guarantees for calls
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
/// # Guarantees for runs
///
/// - A run belongs to the instance that began it. If that instance dies or stalls, the others mark its runs as
///   interrupted. No run is continued by another instance.
/// - Answers, cancellations and ends reach the other instances at once, by publish and subscribe on a second connection.
///   If a message is lost, they are noticed with the next heartbeat.
/// - While Redis is unavailable, no run begins. Runs in progress continue, and are stored when Redis is back.
/// - If Redis was emptied, its runs are unknown, and those in progress are cancelled. If it was restarted, the runs that
///   it still has continue. A run whose last writes were lost has an earlier status again; an instance that has seen a
///   lost status cannot overwrite what was written since.
///
/// # For operators
///
/// **Memory.** `maxmemory-policy` must be `noeviction`. With another policy the server does not start, because Redis
/// could evict the record of an open call, and this call could run again. New calls and runs are rejected when nine
/// tenths of `maxmemory` are used. The rest is for open ones. For calls, the store checks both once a second and after
/// each MiB of new calls. A finished call leaves one bit until it expires, and its
/// reply for [5 minutes](RedisStoreBuilder::keep_replies). A call with an idempotency key takes about 700 bytes instead
/// of that bit. The runs have [limits of their own](crate::runs#limits);
/// a run takes about 1.2 KB and its data.
///
/// **Restarts.** A Redis that restarts, or a replica that takes over, can have lost acknowledged writes. Without an
/// append-only file, it has lost all writes since the last snapshot. With `appendfsync everysec`, it can have lost the
/// writes of two seconds. A replica lacks the writes that had not reached it. Calls whose claims were lost could run
/// again. So a restarted Redis counts as another ledger, and open calls end. If Redis loses nothing, declare this with
/// [`durable`](RedisStoreBuilder::durable), and the calls continue. To lose nothing, a Redis that may restart needs
/// `appendonly yes` and `appendfsync always`. `everysec` is not enough.
///
/// **Failover.** The store does not wait for replication. Even with an append-only file, a replica that takes over can
/// lack the last writes; `min-replicas-to-write 1` narrows the gap but does not close it. If you declare a Redis with
/// such a replica [`durable`](RedisStoreBuilder::durable), open calls continue after a failover, and a call whose
/// claim was lost **can run again**. So pass the idempotency key of the call
/// ([`PhaseCtx::idempotency_key`](crate::call::PhaseCtx::idempotency_key)) to services that must not act twice, such as
/// payments. Without `durable` no call runs again. A managed service is durable if it stores its log on several
/// machines before it acknowledges a write. The URL must lead to the primary, never to a replica.
///
/// **Several Redis servers.** A store is in one Redis. [`StoreParts::shard`](crate::store::StoreParts::shard) spreads the calls
/// of a server over several stores; see [`capacity`](crate::guide::capacity). In a Redis Cluster, all keys of a prefix are on one
/// node. Name that node in the URL.
///
/// **Functions.** The store loads a library of Redis functions, whose name begins with `mcp_` and contains a digest, so that
/// programs of different versions can share a Redis. `FUNCTION LIST` shows the libraries, and `FUNCTION DELETE` removes that of
/// an earlier version. The library is loaded again when it is missing.
///
/// **Keys.** Keys begin with `{mcp}:`, or with [your own prefix](RedisStoreBuilder::prefix). So does the channel of the
/// messages. Only replies have a time to live. Each new call removes a few expired entries, and instances remove
/// runs that are too old. Do not remove single keys. You can remove all keys when no server uses the store any more.
///
/// **Permissions.** If the user may not run a command, the error names the categories of commands that a store needs:
/// for its keys (`~{mcp}:*`) and its channel (`&{mcp}:*`). Without the channel, changes of runs are noticed with the
/// next heartbeat.
///
/// **Clocks.** Entries and states expire by the store's own time. Every write stores that time in `{mcp}:ledger`. This
/// time never runs backwards, because it is the latest of three times: the stored time, the wall clock of Redis, and
/// the last time that the instance has seen plus the monotonic time since then. The wall clocks of the instances do not
/// matter. If the clock of Redis is set back, nothing changes; if it jumps ahead, open calls expire early. Runs have the
/// times of the instances.
///
/// # Cost
///
/// An operation is one round trip, and takes about 20 µs of the single thread of Redis, or 50 µs for a new or ended
/// run. A round of a call is one load and three swaps. A page of a list of runs costs the same with many runs as with
/// few; a filter for an action without an owner, or for an instance and ended runs, reads other runs too. One function
/// reads at most 200 runs or removes at most 100, so that it blocks Redis for a few milliseconds only. An operation that
/// takes longer than 3 s fails; a long list is several operations.
///
/// Clones share the same connections. The connections belong to the async runtime that created them.
#[derive(Clone)]
pub struct RedisStore(Arc<RedisConnection>);

/// Builds a connection to Redis. See [`RedisStore::builder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct RedisStoreBuilder {
    url: StoreUrl,
    prefix: String,
    durable: bool,
    replies: Duration,
}

impl RedisStore {
    /// Connects to Redis. `url` is `redis://[user:password@]host[:port][/database]`, `rediss://…` for TLS, or
    /// `unix:///path/to/socket`.
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
    /// use mcp_runtime::store::RedisStore;
    ///
    /// # async fn example() -> Result<(), mcp_runtime::store::RedisStoreError> {
    /// let store = RedisStore::builder("redis://redis.example.internal").prefix("flights").connect().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder(url: &str) -> RedisStoreBuilder {
        RedisStoreBuilder { url: StoreUrl(url.to_owned()), prefix: PREFIX.to_owned(), durable: false, replies: REPLIES }
    }
}

impl RedisStoreBuilder {
    /// Sets the prefix of the keys. With `flights`, all keys begin with `{flights}:`. If two servers share a Redis but
    /// not a store, they need different prefixes. A prefix has 1 to 64 ASCII letters, digits, `-`, `_`, `.` and `:`.
    /// Default: `mcp`.
    pub fn prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.prefix);
        self
    }

    /// Declares that this Redis keeps all acknowledged writes, even when it restarts or a replica takes over. With this
    /// setting, open calls continue after such an event. If Redis still loses the record of a call, that call can run
    /// again, and an instance can overwrite a change of a run that it has not seen.
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

impl Store for RedisStore {
    fn into_parts(self) -> StoreParts {
        StoreParts::new(self.clone(), self)
    }
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RedisConnection { address, prefix, .. } = &*self.0;
        f.debug_struct("RedisStore").field("address", address).field("prefix", prefix).finish_non_exhaustive()
    }
}
