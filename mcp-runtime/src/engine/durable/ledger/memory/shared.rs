//! The entries of a ledger in memory under their lock, with their limits.

use std::{
    sync::{Arc, MutexGuard},
    time::Duration,
};

use tokio::time::Instant;

use super::{
    super::{AGES, LedgerCapacity, LedgerId, LedgerKey, LedgerVersion, Swapped},
    entries::{EntryName, EntryValue, FEW, MANY, MemoryEntries, OVERHEAD, PresentEntry},
    sweeper,
};
use crate::{
    base::mutex::Mutex,
    engine::call::{lease::LedgerError, ledger_time::LedgerTime},
};

/// The unit of the ledger's time. Times are rounded down to whole units.
const MILLISECOND: Duration = Duration::from_millis(1);

pub(super) struct SharedMemory {
    pub(super) id: LedgerId,
    pub(super) entries: usize,
    pub(super) bytes: usize,
    /// The creation of the ledger, in monotonic time and in the ledger's time.
    pub(super) made: (Instant, LedgerTime),
    pub(super) store: Arc<Mutex<MemoryEntries>>,
}

/// What a write of bytes requires, and how long its entry stays.
pub(super) struct WriteTerms {
    pub(super) seen: Option<LedgerVersion>,
    pub(super) keep: Duration,
    pub(super) before: Option<LedgerTime>,
    /// Whether this is the last value of the entry.
    pub(super) is_last: bool,
}

/// A new value of an entry.
pub(super) struct NewValue {
    pub(super) value: EntryValue,
    /// The length of the present value, or `None` if there is no entry.
    pub(super) present: Option<usize>,
    pub(super) keep: Duration,
    /// Whether this is the last value of the entry.
    pub(super) is_last: bool,
}

impl SharedMemory {
    /// Returns the entry with this name, as `read` reads it.
    pub(super) fn load<E>(
        &self,
        ledger: LedgerId,
        name: &EntryName,
        read: impl FnOnce(&PresentEntry<'_>) -> E,
    ) -> Result<Option<E>, LedgerError> {
        self.own(ledger)?;
        Ok(self.store.lock().entry(name, Instant::now()).map(|present| read(&present)))
    }

    pub(super) fn write_bytes(
        &self,
        key: LedgerKey<'_>,
        value: Arc<[u8]>,
        WriteTerms { seen, keep, before, is_last }: WriteTerms,
    ) -> Result<Swapped, LedgerError> {
        self.own(key.ledger())?;
        let name = EntryName::from(key.name());
        let (mut store, now) = self.lock();
        let left = before.map(|before| before.since(self.time(now)));
        if left == Some(Duration::ZERO) {
            return Ok(Swapped::TooLate);
        }
        let present = store.entry(&name, now);
        if present.as_ref().map(|present| present.version) != seen {
            return Ok(Swapped::Conflict(present.map(|present| present.to_bytes())));
        }
        let (value, present) = (EntryValue::Bytes(value), present.map(|present| present.len()));
        let value = NewValue { value, present, keep: kept_for(keep, left), is_last };
        self.put(&mut store, now, name, value).map(Swapped::Done)
    }

    /// Locks the entries for a write, and removes some that have expired. Returns the time of the write.
    pub(super) fn lock(&self) -> (MutexGuard<'_, MemoryEntries>, Instant) {
        let mut store = self.store.lock();
        // Read under the lock, so that no earlier sweep used a later time.
        let now = Instant::now();
        store.sweep(now, FEW);
        (store, now)
    }

    /// Writes an entry, if there is room for it.
    pub(super) fn put(
        &self,
        store: &mut MemoryEntries,
        now: Instant,
        name: EntryName,
        NewValue { value, present, keep, is_last }: NewValue,
    ) -> Result<LedgerVersion, LedgerError> {
        let length = value.len();
        if !self.has_room(store, name.len(), length, present, now) {
            return Err(LedgerError::Full);
        }
        let version = store.write(name, value, length, now + keep.min(AGES), is_last);
        while self.bytes / 4 < store.evictable().bytes && store.evict() {}
        sweeper::start(store, &self.store);
        Ok(version)
    }

    pub(super) fn time(&self, now: Instant) -> LedgerTime {
        let (at, time) = self.made;
        time.after(now.saturating_duration_since(at))
    }

    pub(super) fn own(&self, ledger: LedgerId) -> Result<(), LedgerError> {
        if ledger == self.id { Ok(()) } else { Err(LedgerError::Replaced) }
    }

    /// Returns the room for new calls. New calls can use half of the bytes, and at most a quarter of the bytes is
    /// reserved for them at a time. Open calls can grow until three quarters are used, so that a reserved record always
    /// fits.
    pub(super) fn room(&self) -> LedgerCapacity {
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

/// Returns how long an entry is kept: for `keep`, and longer than `left`, which is rounded down.
pub(super) fn kept_for(keep: Duration, left: Option<Duration>) -> Duration {
    left.map_or(keep, |left| keep.max(left + MILLISECOND))
}
