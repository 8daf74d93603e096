//! A ledger in memory, for one process.
//!
//! `entries/` holds the entries under a lock, and evicts finished calls; `tombstones/` remembers the evicted calls;
//! `sweeper.rs` removes expired entries.

mod entries;
mod sweeper;
#[cfg(test)]
mod tests;
mod tombstones;

use std::{any::Any, fmt, future::ready, sync::Arc, time::Duration};

use tokio::time::Instant;

use self::entries::{EntryName, EntryValue, FEW, MANY, MemoryEntries, OVERHEAD, PresentEntry};
use super::{
    AGES, Ledger, LedgerCapacity, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped,
    record::{Record, RecordEntry, RecordKey, WriteOutcome},
};
use crate::{
    base::mutex::Mutex,
    engine::call::{lease::LedgerError, ledger_time::LedgerTime},
};

/// The default limit of entries.
const ENTRIES: usize = 64 * 1024;
/// The default limit of bytes.
const BYTES: usize = 128 * 1024 * 1024;
/// The unit of the ledger's time. Times are rounded down to whole units.
const MILLISECOND: Duration = Duration::from_millis(1);

/// A [`Ledger`] in memory, the default of a server.
///
/// It covers one process. When the process ends, its open calls end too. If a client sends the state of such a call, it
/// gets an error, because the next process has a ledger with another id.
///
/// It is limited to 65,536 entries and 128 MiB; [`with_limits`](Self::with_limits) sets both. New calls are rejected
/// when open calls use seven eighths of the entries or half of the bytes. The rest is reserved for later rounds of open
/// calls. An entry takes at most 352 bytes in addition to its key and value, and is freed within 10 s after it expires.
/// Every operation completes when its future is first polled.
///
/// Finished calls do not fill the ledger. Their replies use at most a quarter of the bytes, and the oldest replies are
/// evicted when room is needed. For each evicted reply, one bit stays until the call expires, so that the call does not
/// run again: a client that repeats the call gets an error. A call with an idempotency key takes 180 bytes instead of
/// that bit.
///
/// Entries and states expire by the monotonic clock, which starts at the wall clock's time when the ledger is created.
/// Later changes of the wall clock have no effect. On systems whose monotonic clock stops while the machine sleeps, the
/// ledger's time stops too.
///
/// Clones share the same ledger.
#[derive(Clone)]
pub struct MemoryLedger(Arc<SharedMemory>);

struct SharedMemory {
    id: LedgerId,
    entries: usize,
    bytes: usize,
    /// The creation of the ledger, in monotonic time and in the ledger's time.
    made: (Instant, LedgerTime),
    store: Arc<Mutex<MemoryEntries>>,
}

/// What a write requires, and how long its entry stays.
struct WriteTerms {
    seen: Option<LedgerVersion>,
    keep: Duration,
    before: Option<LedgerTime>,
    /// Whether this is the last value of the entry.
    is_last: bool,
}

impl MemoryLedger {
    /// Creates an empty ledger with a new id.
    pub fn new() -> Self {
        Self::with_limits(ENTRIES, BYTES)
    }

    /// Creates a ledger limited to `entries` entries and `bytes` bytes. It rejects new calls when open calls use
    /// seven eighths of the entries or half of the bytes.
    pub fn with_limits(entries: usize, bytes: usize) -> Self {
        let made = (Instant::now(), LedgerTime::of_wall_clock());
        Self(Arc::new(SharedMemory { id: LedgerId::random(), entries, bytes, made, store: Arc::default() }))
    }
}

/// The operations of [`Ledger`] for the records of calls, without their encoding.
impl MemoryLedger {
    pub(super) fn load_record(&self, key: RecordKey) -> Result<Option<RecordEntry>, LedgerError> {
        self.0.load(key.ledger, &EntryName::Call(key.call), |entry| entry.to_record())
    }

    /// Writes a record. If the call is done, this is the last value of its entry.
    pub(super) fn write_record(
        &self,
        key: RecordKey,
        seen: Option<LedgerVersion>,
        record: Record,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> Result<WriteOutcome<RecordEntry>, LedgerError> {
        let value = EntryValue::Record(Box::new(record));
        let terms = WriteTerms { seen, keep, before, is_last: value.is_done() };
        self.0.write(key.ledger, EntryName::Call(key.call), value, terms, |entry| entry.to_record())
    }
}

impl Default for MemoryLedger {
    fn default() -> Self {
        Self::new()
    }
}

impl Ledger for MemoryLedger {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(ready(Ok(self.0.id)))
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn room(&self) -> Option<LedgerCapacity> {
        Some(self.0.room())
    }

    fn now(&self) -> LedgerTime {
        self.0.time(Instant::now())
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move { self.0.load(key.ledger(), &key.name().into(), |entry| entry.to_bytes()) })
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move { self.0.write_bytes(key, value, WriteTerms { seen, keep, before, is_last: false }) })
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move { self.0.write_bytes(key, value, WriteTerms { seen, keep, before: None, is_last: true }) })
    }

    fn as_memory(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

impl SharedMemory {
    /// Returns the entry with this name, as `read` reads it.
    fn load<E>(
        &self,
        ledger: LedgerId,
        name: &EntryName,
        read: impl FnOnce(&PresentEntry<'_>) -> Result<E, LedgerError>,
    ) -> Result<Option<E>, LedgerError> {
        self.own(ledger)?;
        self.store.lock().entry(name, Instant::now()).map(|present| read(&present)).transpose()
    }

    fn write_bytes(&self, key: LedgerKey<'_>, value: Arc<[u8]>, terms: WriteTerms) -> Result<Swapped, LedgerError> {
        let value = EntryValue::Bytes(value);
        self.write(key.ledger(), key.name().into(), value, terms, |entry| entry.to_bytes()).map(Swapped::from)
    }

    /// Writes an entry. If the write is a conflict, returns the present entry, as `read` reads it.
    fn write<E>(
        &self,
        ledger: LedgerId,
        name: EntryName,
        value: EntryValue,
        WriteTerms { seen, keep, before, is_last }: WriteTerms,
        read: impl FnOnce(&PresentEntry<'_>) -> Result<E, LedgerError>,
    ) -> Result<WriteOutcome<E>, LedgerError> {
        self.own(ledger)?;
        let mut store = self.store.lock();
        // Read under the lock, so that no earlier sweep used a later time.
        let now = Instant::now();
        store.sweep(now, FEW);
        let left = before.map(|before| before.since(self.time(now)));
        if left == Some(Duration::ZERO) {
            return Ok(WriteOutcome::TooLate);
        }
        let present = store.entry(&name, now);
        if present.as_ref().map(|present| present.version) != seen {
            return Ok(WriteOutcome::Conflict(present.map(|present| read(&present)).transpose()?));
        }
        let length = present.map(|present| present.len());
        if !self.has_room(&mut store, name.len(), value.len(), length, now) {
            return Err(LedgerError::Full);
        }
        let keep = left.map_or(keep, |left| keep.max(left + MILLISECOND));
        let version = store.write(name, value, now + keep.min(AGES), is_last);
        while self.bytes / 4 < store.evictable().bytes && store.evict() {}
        sweeper::start(&mut store, &self.store);
        Ok(WriteOutcome::Done(version))
    }

    fn time(&self, now: Instant) -> LedgerTime {
        let (at, time) = self.made;
        time.after(now.saturating_duration_since(at))
    }

    fn own(&self, ledger: LedgerId) -> Result<(), LedgerError> {
        if ledger == self.id { Ok(()) } else { Err(LedgerError::Replaced) }
    }

    /// Returns the room for new calls. New calls can use half of the bytes, and at most a quarter of the bytes is
    /// reserved for them at a time. Open calls can grow until three quarters are used, so that a reserved record always
    /// fits.
    fn room(&self) -> LedgerCapacity {
        let now = Instant::now();
        let mut store = self.store.lock();
        let of = |store: &MemoryEntries| {
            let kept = store.kept();
            LedgerCapacity {
                entries: (self.entries - self.entries / 8).saturating_sub(kept.entries),
                bytes: (self.bytes / 2).saturating_sub(kept.bytes).min(self.bytes / 4),
            }
        };
        store.sweep(now, FEW);
        let mut room = of(&store);
        while (room.entries == 0 || room.bytes < self.bytes / 8) && store.sweep(now, MANY) {
            room = of(&store);
        }
        of(&store)
    }

    /// Makes room for an entry whose name and value have these lengths, and returns whether the entry fits. `present`
    /// is the length of its present value. An existing entry cannot grow into the last quarter, which is reserved for
    /// the records of new calls.
    fn has_room(
        &self,
        store: &mut MemoryEntries,
        name: usize,
        length: usize,
        present: Option<usize>,
        now: Instant,
    ) -> bool {
        let fits = |store: &MemoryEntries| match present {
            Some(before) => length <= before || store.used().bytes - before + length <= self.bytes / 4 * 3,
            None => {
                let used = store.used();
                used.entries < self.entries && used.bytes + name + length + OVERHEAD <= self.bytes
            }
        };
        while !fits(store) {
            if !store.evict() {
                while store.sweep(now, MANY) {}
                return fits(store);
            }
        }
        true
    }
}

impl fmt::Debug for MemoryLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = self.0.store.lock().used();
        f.debug_struct("MemoryLedger")
            .field("id", &self.0.id)
            .field("entries", &used.entries)
            .field("bytes", &used.bytes)
            .finish_non_exhaustive()
    }
}
