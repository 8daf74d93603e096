//! The interface of a ledger.

use std::{any::Any, pin::Pin, sync::Arc, time::Duration};

use super::LedgerId;
use crate::engine::call::{lease::LedgerError, ledger_time::LedgerTime};

/// A mistake of a ledger.
pub(super) const WITHOUT_DEADLINE: &str = "the ledger returned `TooLate` for a `swap` without a deadline";

/// A store for the records of calls. It ensures that each round of a call runs only once, across retries, crashes and
/// instances.
///
/// A server has one ledger, by default a [`MemoryLedger`](crate::store::MemoryLedger), or [several](crate::guide::capacity), of
/// which each call has one. A ledger in memory is for one process. A
/// ledger in a file can be shared by the processes of a machine, and a ledger on the network by all instances that reach
/// it.
///
/// # For authors of ledgers
///
/// A ledger maps keys to entries. An entry has a value and a version. The ledger does not interpret the value. Every
/// write gives the entry a new version. The guarantees of this crate rest on the following rules.
/// `testing::ledger_contract` (feature `testing`) tests a ledger against them.
///
/// **Atomic.** [`swap`](Self::swap) compares and writes in one step. If several concurrent swaps have seen the same
/// version, or have all seen no entry, one of them succeeds and the others are conflicts. Use a conditional statement
/// or a script, not a read followed by a write. A load that begins after a swap has succeeded returns the value of that
/// swap or a later one: do not read from a replica or a cache.
///
/// **Versions never repeat.** No two writes to a key get the same version, even if the entry expires in between. One
/// counter for the whole ledger is enough, if it exists as long as the ledger's id.
///
/// **Durable.** A successful swap persists as long as the [id](Self::id) is the same. A crash that loses entries must
/// change the id, as a crash does for a ledger in memory. Emptying the store or restoring an older state must change
/// the id too. Every operation names the expected id in its [key](LedgerKey). The ledger compares this id with its own
/// in the same atomic step as the operation. If the ids differ, the operation fails with [`LedgerError::Replaced`]. If
/// entries are lost but the id stays the same, a call can run a second time. If your store can lose acknowledged writes
/// in a failover, say so in your documentation.
///
/// **One clock.** A ledger has its own time, [`LedgerTime`], which decides when entries expire and when a swap is too
/// late. This time is the same for all instances, even if their wall clocks differ. It never runs backwards or stands
/// still. In a store shared by several processes, the time of an operation is the latest of three times: the time
/// stored in the store, the wall clock of the store, and the last time that this instance has seen plus the monotonic
/// time since then. A swap stores the time of the operation in the same atomic step. Do not remove entries by any other
/// clock, such as the wall clock that `PEXPIRE` of Redis uses: calls could run again.
///
/// **Expiry.** An entry is kept at least as long as any of its swaps demanded, and is removed soon after that. It is
/// never removed earlier to make room: if *least recently used* entries were removed, a call could run again. (Redis:
/// `maxmemory-policy noeviction`.) A full ledger rejects new keys with [`LedgerError::Full`], and should reserve room
/// for the growth of existing entries.
///
/// **Finished calls.** The last value of an entry is written with [`finish`](Self::finish). Only this value can be
/// discarded before the entry expires; the fact that the entry exists must be kept.
///
/// **Sizes.** Values can be empty, and as large as 1 MiB. Keys are 1 to 128 ASCII letters, digits, `-`, `_` and `:`.
///
/// **Timeouts.** An operation returns or fails within a few seconds. A failed operation, or a future that is dropped
/// half-way, can still have taken effect; the runtime handles that.
///
/// [`MemoryLedger`](crate::store::MemoryLedger) documents its own guarantees. A ledger that wraps another one looks like this:
///
/// ```
/// use std::{sync::Arc, time::Duration};
///
/// use mcp_runtime::{
///     store::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerTime, LedgerVersion, MemoryLedger, Swapped},
/// };
///
/// /// Logs each operation.
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
    /// Returns the id of the store. The id is random, and changes if the store ever loses entries.
    ///
    /// A server caches the id until an operation fails with [`LedgerError::Replaced`].
    fn id(&self) -> LedgerFuture<'_, LedgerId>;

    /// Returns whether other processes can read the store. For such a store the server seals the outcomes of calls
    /// before it writes them (feature `seal`). `Server::build` also warns about tools whose calls cannot be resumed in
    /// another process.
    fn is_shared(&self) -> bool {
        true
    }

    /// Returns the room for records of new calls, without asking the store. Returns `None` if the room is unknown or
    /// unlimited. If no room is left, the server rejects a new call before the tool runs and before the user is asked.
    fn room(&self) -> Option<LedgerCapacity> {
        None
    }

    /// Returns the time of the ledger, without asking the store: the time of the last operation (or of the opening, if
    /// there was none), plus the monotonic time since then. No later operation of this instance has an earlier time.
    ///
    /// The server computes the expiry of states from this time. If this time is behind the store's time, states that
    /// the instance writes expire earlier. The instance's next operation corrects the time.
    fn now(&self) -> LedgerTime;

    /// Returns the entry under this key, or `None` if there is none or it has expired.
    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>>;

    /// Writes the entry if its version is still `seen` and the ledger's time is less than `before`. If `seen` is
    /// `None`, the entry must still be absent. Keeps the entry for `keep`, and at least until `before`.
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
    /// From then on the ledger can discard the value to make room, so that finished calls never fill the ledger. If the
    /// value is discarded, [`load`](Self::load) returns the entry with an empty value until the entry expires. A swap
    /// with another version is still a conflict. A client that repeats the call gets an error saying that the reply is
    /// no longer stored, and nothing runs.
    ///
    /// The runtime names the records of calls with 32 lowercase hexadecimal digits, of which the first 16 are unique.
    /// For most calls these 16 digits are a number that increases by one with each call of a process. So a ledger can
    /// store the finished entries in bitmaps, as the ledgers of this crate do.
    ///
    /// The default implementation keeps the value as long as the entry.
    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        self.swap(key, seen, value, keep, None)
    }

    /// Returns the ledger in memory that this ledger is, if it is one. The server keeps records there as values, which
    /// need no encoding. A ledger that wraps another one returns `None`, because it must see every operation.
    #[doc(hidden)]
    fn as_memory(&self) -> Option<&dyn Any> {
        None
    }
}

/// The future that the operations of a [`Ledger`] return.
pub type LedgerFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, LedgerError>> + Send + 'a>>;

/// The key of an entry, with the id of the store that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LedgerKey<'a> {
    ledger: LedgerId,
    name: &'a str,
}

/// An entry of a [`Ledger`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The bytes as they were written.
    pub value: Arc<[u8]>,
    /// The version that the entry got when it was written.
    pub version: LedgerVersion,
}

/// The room of a [`Ledger`] for the records of new calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerCapacity {
    /// How many new entries the ledger can take.
    pub entries: usize,
    /// The number of bytes for all new entries together. A ledger reserves part of its bytes for open calls.
    pub bytes: usize,
}

/// Identifies one write of an entry. Versions can only be compared for equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LedgerVersion(pub u64);

/// The result of a [`Ledger::swap`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swapped {
    /// The entry was written and has this version.
    Done(LedgerVersion),
    /// Nothing was written, because the entry has changed. This value holds the current entry.
    Conflict(Option<LedgerEntry>),
    /// Nothing was written, because the ledger's time has reached `before`. Takes precedence over
    /// `Conflict`.
    TooLate,
}

impl<'a> LedgerKey<'a> {
    /// Creates a key from the name of an entry and the id of its store.
    pub const fn new(ledger: LedgerId, name: &'a str) -> Self {
        Self { ledger, name }
    }

    /// Returns the id of the store that this key belongs to. An operation with this key fails if the store has another
    /// id.
    pub const fn ledger(self) -> LedgerId {
        self.ledger
    }

    /// Returns the name: 1 to 128 ASCII letters, digits, `-`, `_` and `:`.
    pub const fn name(self) -> &'a str {
        self.name
    }
}

impl<L: Ledger + ?Sized> Ledger for Arc<L> {
    fn as_memory(&self) -> Option<&dyn Any> {
        (**self).as_memory()
    }

    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        (**self).id()
    }

    fn is_shared(&self) -> bool {
        (**self).is_shared()
    }

    fn room(&self) -> Option<LedgerCapacity> {
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
