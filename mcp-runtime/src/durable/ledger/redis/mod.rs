//! The ledger of many instances, in Redis.
//!
//! Through the `redis` crate and not `fred`: one connection that all tasks share and that comes back by itself is all
//! that is needed, and `redis` has it, and is looked after (the last release of `fred` is of February 2025).
//! Nothing of it is public here, so that it may be exchanged.

mod error;
mod scripts;
mod store;

use std::{fmt, sync::Arc, time::Duration};

use redis::ScriptInvocation;

pub use self::error::RedisLedgerError;
use self::{
    scripts::Said,
    store::{Store, Tries},
};
use super::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped, seen::SeenTime};
use crate::call::{lease::LedgerError, ledger_time::LedgerTime};

const PREFIX: &str = "mcp";
/// How long the reply of a finished call is kept unless told otherwise.
const REPLIES: Duration = Duration::from_secs(5 * 60);
/// Longer than any call, short enough for numbers in Lua.
const AGES: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// A [`Ledger`] in Redis: any number of instances of a server go on with each other's calls.
///
/// Every instance needs the same Redis and the same keys ([`KeyRing`](crate::KeyRing)); a load balancer may send each
/// round of a call to any of them.
///
/// ```no_run
/// use mcp_runtime::{RedisLedger, Server};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let ledger = RedisLedger::connect("redis://redis.example.internal").await?;
/// let server = Server::new("flights", "1.0.0").ledger(ledger);
/// # Ok(())
/// # }
/// ```
///
/// # What is promised
///
/// With a Redis that keeps what it has acknowledged:
///
/// - A round that comes again, at whichever instance, gets the reply it got before, or waits for it. Whatever it brings,
///   the first answer counts.
/// - An instance that dies between two rounds is not missed. One that dies in mid-round is taken over when its lease has
///   ended (30 s), unless `after` or a step has begun: then the outcome is unknown, and the client is told so. It never
///   begins twice.
/// - An instance that stalls for longer than its lease and wakes up cannot write any more: the result is that of the one
///   which took over.
/// - While Redis is away nothing begins, nothing is spent, and the same request may come again. The connection comes back
///   by itself.
/// - A Redis that was emptied, replaced, or started again is another ledger: open calls end with an error that says so,
///   and never run again. One that is [durable](RedisLedgerBuilder::durable) may start again, and they go on.
///
/// # For operators
///
/// **Memory.** `maxmemory-policy` must be `noeviction`, and a server that finds another does not start: Redis would
/// remove records of open calls, which could then run again. New calls are refused when nine tenths of `maxmemory` are
/// taken; the rest is for those under way. Of a finished call one bit stays until it expires, and its reply for
/// [5 minutes](RedisLedgerBuilder::keep_replies). A call that its client gave an idempotency key takes some 700 bytes
/// instead of that bit.
///
/// **A Redis that starts again**, or from which a replica has taken over, may have lost what it acknowledged last:
/// without an append-only file everything since its last snapshot, with `appendfsync everysec` up to two seconds, a
/// replica what had not reached it. What was claimed in that time could run again. So any other run of Redis than the
/// one that wrote the records counts as another ledger, and open calls end. Where Redis loses nothing, say so with
/// [`durable`](RedisLedgerBuilder::durable): then they go on. That is `appendonly yes` with `appendfsync always` for a
/// Redis that starts again; `everysec` is not enough.
///
/// **Failover.** Replication is not waited for, so that even with such a file a replica that takes over may lack the
/// last writes; `min-replicas-to-write 1` narrows the gap and does not close it. If you name such a pair
/// [`durable`](RedisLedgerBuilder::durable), open calls go on after a failover, and one whose claim was lost **may
/// begin again**: what must not happen twice at any price, such as a payment, should then hand the key of the call
/// ([`PhaseCtx::idempotency_key`](crate::PhaseCtx::idempotency_key)) to the service that does it. Not named so, no call
/// begins again. Managed services whose log is kept by several machines before they acknowledge are durable. Name the
/// primary in the URL, or an address that leads to it; never a replica.
///
/// **Cluster.** All keys of a prefix are on one node, which is the one to name.
///
/// **Keys.** They begin with `{mcp}:`, or with [a prefix of your own](RedisLedgerBuilder::prefix). Only replies have a
/// time to live: the other entries that have expired are removed as others are written, a few with each. Do not remove
/// single ones. All of them may go where no server uses the ledger any more.
///
/// **Clocks.** The ledger has a time of its own, by which entries and states expire. It is kept in `{mcp}:ledger` with
/// every write, and never runs backwards: it is what was kept, or what an instance has seen last and monotonic time
/// since, or the wall clock of Redis, whichever is latest. The wall clocks of the instances change nothing; one of
/// Redis that is put back changes nothing either, and one that jumps ahead lets open calls expire early.
///
/// # What it costs
///
/// An operation is one round trip, and takes some 60 µs of the one thread that Redis has; a round of a call is a load
/// and three swaps. An operation that is not done within 3 s fails.
///
/// A clone is the same ledger with the same connection. The connection belongs to the runtime it was made in.
#[derive(Clone)]
pub struct RedisLedger(Arc<Store>);

/// How to connect to a Redis. See [`RedisLedger::builder`].
#[derive(Clone)]
#[must_use]
pub struct RedisLedgerBuilder {
    url: String,
    prefix: String,
    durable: bool,
    replies: Duration,
}

impl RedisLedger {
    /// Connects to a Redis: `redis://[user:password@]host[:port][/database]`, or `unix:///path/to/socket`; with the
    /// feature `redis-tls` also `rediss://…`.
    ///
    /// # Errors
    ///
    /// If Redis is not reached within 3 s, refuses the user, or may evict entries.
    pub async fn connect(url: &str) -> Result<Self, RedisLedgerError> {
        Self::builder(url).connect().await
    }

    /// The same with settings.
    ///
    /// ```no_run
    /// use mcp_runtime::RedisLedger;
    ///
    /// # async fn example() -> Result<(), mcp_runtime::RedisLedgerError> {
    /// let ledger = RedisLedger::builder("redis://redis.example.internal").prefix("flights").connect().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder(url: &str) -> RedisLedgerBuilder {
        RedisLedgerBuilder { url: url.to_owned(), prefix: PREFIX.to_owned(), durable: false, replies: REPLIES }
    }
}

impl RedisLedgerBuilder {
    /// What its keys begin with, in braces and before a colon: for servers that share a Redis and are to have ledgers
    /// of their own. 1 to 64 ASCII letters, digits, `-`, `_`, `.` and `:`. Default: `mcp`.
    pub fn prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.prefix);
        self
    }

    /// Says that this Redis keeps what it has acknowledged, when it starts again and when another takes over: open
    /// calls go on then. If it does not, a call whose record is lost may run again.
    ///
    /// For `appendonly yes` with `appendfsync always`, and for services with such a log. All instances should say the
    /// same.
    pub fn durable(mut self) -> Self {
        self.durable = true;
        self
    }

    /// Sets how long Redis keeps the reply of a finished call. Default: 5 minutes. A request that repeats the call after
    /// that is told that the call is completed and its reply is no longer kept; nothing runs again.
    pub fn keep_replies(mut self, replies: Duration) -> Self {
        self.replies = replies;
        self
    }

    /// Connects.
    ///
    /// # Errors
    ///
    /// If Redis is not reached within 3 s, refuses the user, or may evict entries.
    pub async fn connect(self) -> Result<RedisLedger, RedisLedgerError> {
        Ok(RedisLedger(Arc::new(Store::connect(self).await?)))
    }
}

impl Ledger for RedisLedger {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async move {
            match self.0.known_id() {
                Some(id) => Ok(id),
                None => self.0.ask_for_id().await.map_err(LedgerError::failed),
            }
        })
    }

    fn now(&self) -> LedgerTime {
        self.0.time.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            match self.0.ask_of(key, &self.0.scripts.load, Tries::Two, |_| {}).await? {
                Said::Entry(entry) => Ok(Some(entry)),
                Said::None => Ok(None),
                said => Err(LedgerError::failed(self.0.unusable(said))),
            }
        })
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move {
            let before = before.map_or_else(String::new, |LedgerTime(time)| time.to_string());
            let arguments = |swap: &mut ScriptInvocation<'_>| {
                swap.arg(version_text(seen)).arg(&*value).arg(keep_text(keep)).arg(before);
            };
            self.swapped(self.0.ask_of(key, &self.0.scripts.swap, Tries::One, arguments).await?)
        })
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move {
            let arguments = |finish: &mut ScriptInvocation<'_>| {
                finish.arg(version_text(seen)).arg(&*value).arg(keep_text(keep)).arg("").arg(self.0.replies);
            };
            self.swapped(self.0.ask_of(key, &self.0.scripts.finish, Tries::One, arguments).await?)
        })
    }
}

impl RedisLedger {
    fn swapped(&self, said: Said) -> Result<Swapped, LedgerError> {
        match said {
            Said::Done(version) => Ok(Swapped::Done(version)),
            Said::Entry(entry) => Ok(Swapped::Conflict(Some(entry))),
            Said::None => Ok(Swapped::Conflict(None)),
            Said::TooLate => Ok(Swapped::TooLate),
            said => Err(LedgerError::failed(self.0.unusable(said))),
        }
    }
}

fn version_text(seen: Option<LedgerVersion>) -> String {
    seen.map_or_else(String::new, |LedgerVersion(version)| version.to_string())
}

/// In milliseconds, rounded up, so that nothing is kept too short.
fn keep_text(keep: Duration) -> String {
    keep.min(AGES).as_nanos().div_ceil(1_000_000).to_string()
}

impl fmt::Debug for RedisLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Store { address, prefix, .. } = &*self.0;
        f.debug_struct("RedisLedger").field("address", address).field("prefix", prefix).finish_non_exhaustive()
    }
}

impl fmt::Debug for RedisLedgerBuilder {
    /// Without the URL, for it may have a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { prefix, durable, replies, .. } = self;
        f.debug_struct("RedisLedgerBuilder")
            .field("prefix", prefix)
            .field("durable", durable)
            .field("replies", replies)
            .finish_non_exhaustive()
    }
}
