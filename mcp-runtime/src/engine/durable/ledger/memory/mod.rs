//! A ledger in memory, for one process.
//!
//! `shared.rs` has the lock and the limits; `entries/` holds the entries, and evicts finished calls; `tombstones/`
//! remembers the evicted calls; `sweeper.rs` removes expired entries.

mod entries;
mod shared;
mod sweeper;
#[cfg(test)]
mod tests;
mod tombstones;

use std::{any::Any, fmt, future::ready, sync::Arc, time::Duration};

use tokio::time::Instant;

use self::{
    entries::{EntryName, EntryValue, PresentEntry},
    shared::{NewValue, SharedMemory, WriteTerms, kept_for},
};
use super::{
    Ledger, LedgerCapacity, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped,
    record::{Record, RecordKey},
};
use crate::engine::call::{lease::LedgerError, ledger_time::LedgerTime};

/// The default limit of entries.
const ENTRIES: usize = 64 * 1024;
/// The default limit of bytes.
const BYTES: usize = 128 * 1024 * 1024;

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
    pub(super) fn ledger_id(&self) -> LedgerId {
        self.0.id
    }

    pub(super) fn load_record(&self, key: RecordKey) -> Result<Option<Record>, LedgerError> {
        self.0.load(key.ledger, &EntryName::Call(key.call), |present| present.to_record())?.transpose()
    }

    /// Replaces a record in one step: calls `next` with the present record and the ledger's time, and writes the record
    /// that `next` returns. Writes nothing if `next` fails. Keeps the record for `keep`, and at least until `until`. If
    /// the call is done, this is the last value of its entry.
    pub(super) fn change_record<E>(
        &self,
        key: RecordKey,
        keep: Duration,
        until: Option<LedgerTime>,
        next: impl FnOnce(Option<Record>, LedgerTime) -> Result<Record, E>,
    ) -> Result<Result<(), E>, LedgerError> {
        let memory = &*self.0;
        memory.own(key.ledger)?;
        let name = EntryName::Call(key.call);
        let (mut store, now) = memory.lock();
        let time = memory.time(now);
        let present = store.entry(&name, now);
        let length = present.as_ref().map(PresentEntry::len);
        let record = present.map(|present| present.to_record()).transpose()?;
        let value = match next(record, time) {
            Ok(record) => EntryValue::Record(record),
            Err(error) => return Ok(Err(error)),
        };
        let (is_last, left) = (value.is_done(), until.map(|until| until.since(time)));
        memory.put(&mut store, now, name, NewValue { value, present: length, keep: kept_for(keep, left), is_last })?;
        Ok(Ok(()))
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
        Box::pin(async move { self.0.load(key.ledger(), &key.name().into(), |present| present.to_bytes()) })
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
