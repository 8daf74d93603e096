//! The ledger of many instances, in Redis.
//!
//! Through the `redis` crate and not `fred`: one connection that all tasks share and that comes back by itself is all
//! that is needed, and `redis` has it, and is looked after (the last release of `fred` is of February 2025).
//! Nothing of it is public here, so that it may be exchanged.

mod error;
mod scripts;
mod store;

use std::{fmt, sync::Arc, time::Duration};

pub use self::error::RedisLedgerError;
use self::{
    scripts::Said,
    store::{Store, Tries},
};
use super::{Ledger, LedgerEntry, LedgerError, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped};

const PREFIX: &str = "mcp";
/// Longer than any call, short enough for Redis.
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
/// - A Redis that was emptied, or replaced by another, is another ledger: open calls end with an error that says so,
///   and never run again.
///
/// # For operators
///
/// **Memory.** `maxmemory-policy` must be `noeviction`, and a server that finds another does not start: Redis would
/// remove records of open calls, which could then run again. New calls are refused when nine tenths of `maxmemory` are
/// taken; the rest is for those under way.
///
/// **A Redis that starts again.** With an append-only file (`appendonly yes`), open calls go on. With
/// `appendfsync everysec`, the default, a *machine* that crashes may lose the last second, and what was claimed in it may
/// run a second time; `appendfsync always` loses nothing. Without that file Redis comes back as it was some time ago:
/// this is noticed, it counts as another ledger, and the open calls end.
///
/// **Failover.** A replica that takes over may not have the last writes of the primary, which were acknowledged all the
/// same. Where it keeps an append-only file too, calls go on, and one whose claim was lost **may begin again**; where it
/// does not, it counts as another ledger and no call does. `min-replicas-to-write 1` narrows the gap, and does not close
/// it. What must not happen twice at any price, such as a payment, should hand the key of the call to the service that
/// does it. Name the primary in the URL, or an address that leads to it; never a replica.
///
/// **Cluster.** All keys of a prefix are on one node, which is the one to name.
///
/// **Keys.** They begin with `{mcp}:`, or with [a prefix of your own](Self::connect_with_prefix). All but `{mcp}:ledger`
/// expire. Do not remove single ones.
///
/// A clone is the same ledger with the same connection. The connection belongs to the runtime it was made in.
#[derive(Clone)]
pub struct RedisLedger(Arc<Store>);

impl RedisLedger {
    /// Connects to a Redis: `redis://[user:password@]host[:port][/database]`, or `unix:///path/to/socket`; with the
    /// feature `redis-tls` also `rediss://…`.
    ///
    /// # Errors
    ///
    /// If Redis is not reached within 3 s, refuses the user, or may evict entries.
    pub async fn connect(url: &str) -> Result<Self, RedisLedgerError> {
        Self::connect_with_prefix(url, PREFIX).await
    }

    /// The same with other keys, for servers that share a Redis and are to have ledgers of their own: keys begin with
    /// the prefix in braces and a colon. Ledgers with different prefixes know nothing of each other.
    ///
    /// # Errors
    ///
    /// As [`connect`](Self::connect); and if the prefix is not 1 to 64 ASCII letters, digits, `-`, `_`, `.` and `:`.
    pub async fn connect_with_prefix(url: &str, prefix: &str) -> Result<Self, RedisLedgerError> {
        Ok(Self(Arc::new(Store::connect(url, prefix).await?)))
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
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move {
            let seen = seen.map_or_else(String::new, |LedgerVersion(version)| version.to_string());
            let keep = keep.clamp(Duration::from_millis(1), AGES).as_millis().to_string();
            let arguments = |swap: &mut redis::ScriptInvocation<'_>| {
                swap.arg(&seen).arg(&*value).arg(&keep);
            };
            match self.0.ask_of(key, &self.0.scripts.swap, Tries::One, arguments).await? {
                Said::Done(version) => Ok(Swapped::Done(version)),
                Said::Entry(entry) => Ok(Swapped::Conflict(Some(entry))),
                Said::None => Ok(Swapped::Conflict(None)),
                said => Err(LedgerError::failed(self.0.unusable(said))),
            }
        })
    }
}

impl fmt::Debug for RedisLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Store { address, prefix, .. } = &*self.0;
        f.debug_struct("RedisLedger").field("address", address).field("prefix", prefix).finish_non_exhaustive()
    }
}
