//! The ledger: one record per call, so that a call goes forward once.
//!
//! [`Ledger`] is a small store with one strong operation, [`Ledger::swap`]. What a call's record says, and how it may
//! change, is ours and the same for every ledger: `record.rs` has each transition as a pure function, `format.rs` its
//! bytes, `claims.rs` takes a round up and `claim.rs` leads it to its end. The version of an entry is the fence:
//! whoever writes later makes every earlier writer's next write fail.

mod claim;
mod claims;
#[cfg(any(test, feature = "testing"))]
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
pub(crate) mod contract;
mod expiry;
mod format;
mod id;
mod lease;
mod memory;
mod outcome_cipher;
pub(crate) mod quota;
mod record;
#[cfg(feature = "redis")]
mod redis;
#[cfg(any(test, feature = "redis", feature = "sqlite"))]
mod seen;
mod skew;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(test)]
mod tests;
pub(crate) mod timed;
mod tombstone;
mod waiters;

use std::{pin::Pin, sync::Arc, time::Duration};

#[cfg(feature = "seal")]
pub(crate) use self::outcome_cipher::SealsOutcomes;
#[cfg(feature = "redis")]
pub use self::redis::{RedisLedger, RedisLedgerBuilder, RedisLedgerError};
#[cfg(test)]
pub(crate) use self::seen::SeenTime;
#[cfg(feature = "http")]
pub(crate) use self::skew::Skew;
#[cfg(feature = "sqlite")]
pub use self::sqlite::{SqliteLedger, SqliteLedgerError};
pub(crate) use self::{
    claim::Claim,
    claims::{Claims, LEASE, TakenUp, Turn},
    outcome_cipher::Cover,
    record::LONGEST_REPLY,
};
pub use self::{id::LedgerId, memory::MemoryLedger};
use crate::call::{lease::LedgerError, ledger_time::LedgerTime};

/// Where the records of calls are kept: what makes a call go forward once, across retries, crashes and instances.
///
/// A server has one; [`MemoryLedger`] unless another is set. It reaches as far as its store does: a ledger in memory
/// covers one process, one in a file the processes of a machine, one on the network all instances that share it.
///
/// # For authors of ledgers
///
/// A ledger maps keys to entries. An entry is a value, which is bytes the ledger does not look into, and the version it
/// got when it was written. There are two operations, and the promises of this crate stand on what is said here of
/// them. `testing::ledger_contract` (feature `testing`) holds a ledger against it.
///
/// **Atomic.** [`swap`](Self::swap) compares and writes as one: of any number of swaps at once that have seen the same
/// version, or the same absence, one is done and the others are conflicts. A statement with its condition inside, or a
/// script, not a read and then a write. Whoever loads after a swap was reported done reads its value or a later one:
/// no replica that lags behind, no cache.
///
/// **Versions never repeat.** No two writes to a key get the same version, not even with an expiry between them. A
/// counter for the whole ledger that lives as long as its id will do.
///
/// **Durable.** A swap that was reported done stays done as long as the [id](Self::id) is the same. A crash of a
/// process that loses entries must make another id, as a ledger in memory does; so must a store that was emptied, or
/// put back to an older state. Every operation names the id it was meant for, with its [key](LedgerKey), and fails with
/// [`LedgerError::Replaced`] in a store that has another, looked at in the same atomic step. What is lost under the
/// same id may run a second time. A store that loses acknowledged writes when it fails over makes that possible: say
/// so in your documentation.
///
/// **One clock.** A ledger has a time of its own, [`LedgerTime`], by which its entries expire and a swap may come too
/// late. It is the same for all its instances, whatever their wall clocks say: it never runs backwards and never stands
/// still. In a store that several processes share, an operation takes place at the latest of these: the time that the
/// store has kept, the time that this instance has seen last and monotonic time since, and the wall clock of the store;
/// and a swap keeps that time in the store, in the same atomic step. An entry that is removed by any other clock can
/// let a call run again (as by `PEXPIRE` of Redis, which goes by its wall clock).
///
/// **Expiry.** An entry is kept for as long as any of its swaps said, at least, and is gone soon after. It is never
/// removed earlier to make room: *least recently used* lets a call run again. (Redis: `maxmemory-policy noeviction`.) A
/// full ledger refuses new keys with [`LedgerError::Full`], and should keep room for the growth of the entries it has.
///
/// **Finished calls.** The last value of an entry is written with [`finish`](Self::finish), and is the only one that a
/// ledger may discard before the entry expires. It must not discard that there is the entry.
///
/// **Whole.** Values may be empty, and as large as 1 MiB. Keys are of 1 to 128 ASCII letters, digits, `-`, `_` and `:`.
///
/// **Soon.** An operation gives its result or fails within a few seconds. One that failed may have been done all the
/// same: what calls the ledger reckons with it. So it does with a future that is dropped half-way.
///
/// The documentation of [`MemoryLedger`] says what is promised with it. A ledger that only hands on shows the form:
///
/// ```
/// use std::{sync::Arc, time::Duration};
///
/// use mcp_runtime::{
///     Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerTime, LedgerVersion, MemoryLedger, Swapped,
/// };
///
/// /// Says what it does.
/// struct Loud(MemoryLedger);
///
/// impl Ledger for Loud {
///     fn id(&self) -> LedgerFuture<'_, LedgerId> {
///         self.0.id()
///     }
///
///     fn now(&self) -> LedgerTime {
///         self.0.now()
///     }
///
///     fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
///         Box::pin(async move {
///             eprintln!("loading {}", key.name());
///             self.0.load(key).await
///         })
///     }
///
///     fn swap<'a>(
///         &'a self,
///         key: LedgerKey<'a>,
///         seen: Option<LedgerVersion>,
///         value: Arc<[u8]>,
///         keep: Duration,
///         before: Option<LedgerTime>,
///     ) -> LedgerFuture<'a, Swapped> {
///         Box::pin(async move {
///             eprintln!("writing {} bytes to {}", value.len(), key.name());
///             self.0.swap(key, seen, value, keep, before).await
///         })
///     }
/// }
/// ```
pub trait Ledger: Send + Sync + 'static {
    /// The id of the store: random, made with it, and another one if it ever loses entries.
    ///
    /// A server asks for it with every round, so it is remembered after the first time, until an operation fails with
    /// [`LedgerError::Replaced`].
    fn id(&self) -> LedgerFuture<'_, LedgerId>;

    /// Whether other processes see the store. Then what a call's outcome says is sealed before it is written there
    /// (feature `seal`), and a tool whose calls cannot go on in another process is a warning when its server is built.
    fn is_shared(&self) -> bool {
        true
    }

    /// What is left for the records of new calls, as far as it is known without asking the store. `None` if it is not
    /// known, or not bounded. A server that is asked to begin a call for which there is no room refuses it before the
    /// tool runs and before its user is asked.
    fn room(&self) -> Option<LedgerRoom> {
        None
    }

    /// The time of the ledger, as far as it is known without asking the store: that of the last operation, or what was
    /// found when it was opened, and monotonic time since. No later operation of this instance takes place before that.
    ///
    /// By this the states of calls are given their time. An instance whose time lags behind that of others gives them
    /// less, until its next operation.
    fn now(&self) -> LedgerTime;

    /// The entry under this key, unless there is none or it has expired.
    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>>;

    /// Writes the entry if it is still the one of version `seen`, or still absent if that is `None`, and the ledger's
    /// time is `before` that; keeps it for `keep` from now, and until `before` at least.
    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped>;

    /// Writes the last value of an entry, under the conditions of [`swap`](Self::swap).
    ///
    /// From then on the ledger may discard the value when it has need of the room, so that finished calls never fill it.
    /// Until the entry expires, [`load`](Self::load) returns it then with an empty value, and a swap that has not seen it
    /// is a conflict, as with any other entry. A client that repeats such a call gets an error that says that the reply is
    /// no longer kept, and nothing runs.
    ///
    /// The runtime names the records of calls with 32 lowercase hexadecimal digits, and no two begin with the same 16. The
    /// first 16 of most calls are a number that goes up by one with each call of a process. So a bitmap can remember which
    /// entries are finished; the ledgers of this crate do so.
    ///
    /// By default the value is kept for as long as the entry.
    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        self.swap(key, seen, value, keep, None)
    }
}

/// What the operations of a [`Ledger`] return.
pub type LedgerFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, LedgerError>> + Send + 'a>>;

/// What an operation of a [`Ledger`] is about: an entry of the store with this id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LedgerKey<'a> {
    ledger: LedgerId,
    name: &'a str,
}

/// An entry of a [`Ledger`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// As it was written.
    pub value: Arc<[u8]>,
    /// What the write was given.
    pub version: LedgerVersion,
}

/// What a [`Ledger`] has left for the records of new calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerRoom {
    /// How many more there may be.
    pub entries: usize,
    /// How many bytes they may have together. A ledger keeps some of its bytes back for the calls under way.
    pub bytes: usize,
}

/// Which write an entry is from. Only equality counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LedgerVersion(pub u64);

/// What became of a [`Ledger::swap`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swapped {
    /// It is written, and has this version.
    Done(LedgerVersion),
    /// Nothing is written: this is there now.
    Conflict(Option<LedgerEntry>),
    /// Nothing is written: the ledger's time has reached `before`. A ledger returns this also where the entry has another
    /// version.
    TooLate,
}

impl<'a> LedgerKey<'a> {
    /// The entry of this name, in the store with this id.
    pub const fn new(ledger: LedgerId, name: &'a str) -> Self {
        Self { ledger, name }
    }

    /// The id the store must have.
    pub const fn ledger(self) -> LedgerId {
        self.ledger
    }

    /// 1 to 128 ASCII letters, digits, `-`, `_` and `:`.
    pub const fn name(self) -> &'a str {
        self.name
    }
}

impl<L: Ledger + ?Sized> Ledger for Arc<L> {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        (**self).id()
    }

    fn is_shared(&self) -> bool {
        (**self).is_shared()
    }

    fn room(&self) -> Option<LedgerRoom> {
        (**self).room()
    }

    fn now(&self) -> LedgerTime {
        (**self).now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        (**self).load(key)
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        (**self).swap(key, seen, value, keep, before)
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        (**self).finish(key, seen, value, keep)
    }
}
