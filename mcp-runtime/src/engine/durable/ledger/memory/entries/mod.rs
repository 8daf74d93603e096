//! The entries of a ledger in memory, used under its lock.

mod value;

use std::collections::VecDeque;

use tokio::{task::AbortHandle, time::Instant};

use self::value::BoxedValue;
pub(super) use self::value::{EntryName, EntryValue, PresentEntry};
use super::tombstones::Tombstones;
use crate::engine::{
    call::call_id::CallId,
    durable::ledger::{
        LedgerVersion,
        expiry::{ExpiryQueue, LARGE, smaller_capacity},
        tombstone::Tombstone,
    },
};

/// Limits for the number of entries that one sweep checks.
pub(super) const FEW: usize = 32;
pub(super) const MANY: usize = 1024;
/// The bytes that an entry takes in addition to its key and value, rounded up.
pub(super) const OVERHEAD: usize = 352;
/// The version of an entry whose value was discarded. No write gets this version.
const DISCARDED: LedgerVersion = LedgerVersion(0);

#[derive(Default)]
pub(super) struct MemoryEntries {
    entries: foldhash::HashMap<EntryName, StoredValue>,
    /// The names of all entries, ordered by expiry. Can also contain names of evicted entries.
    by_expiry: ExpiryQueue<EntryName>,
    /// The finished calls whose records can be evicted, oldest first. Can also contain calls whose records have expired.
    finished: VecDeque<CallId>,
    tombstones: Tombstones,
    counted: CountedEntries,
    last_version: u64,
    /// The task that removes expired entries.
    pub(super) sweeper: Option<AbortHandle>,
}

/// A value with its version and expiry.
struct StoredValue {
    value: BoxedValue,
    /// The length of the value as bytes, which would take time to compute. No value has 4 GiB.
    length: u32,
    version: LedgerVersion,
    expires: Instant,
    is_finished: bool,
}

/// The usage of all entries, and of those that can be evicted.
#[derive(Default)]
struct CountedEntries {
    all: StoreUsage,
    evictable: StoreUsage,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StoreUsage {
    pub(super) entries: usize,
    pub(super) bytes: usize,
}

impl MemoryEntries {
    pub(super) fn entry(&self, name: &EntryName, now: Instant) -> Option<PresentEntry<'_>> {
        match (self.entries.get(name), name) {
            (Some(StoredValue { value, length, version, expires, .. }), _) => {
                (now < *expires).then_some(PresentEntry { value: Some(value), length: *length, version: *version })
            }
            (None, EntryName::Call(call)) => self
                .tombstones
                .contains(Tombstone::of_call(*call), now)
                .then_some(PresentEntry { value: None, length: 0, version: DISCARDED }),
            (None, EntryName::Other(_)) => None,
        }
    }

    /// Writes an entry, whose value has this length as bytes. If the entry is finished, the store can evict it from then
    /// on.
    pub(super) fn write(
        &mut self,
        name: EntryName,
        value: EntryValue,
        length: usize,
        expires: Instant,
        is_finished: bool,
    ) -> LedgerVersion {
        self.last_version += 1;
        let version = LedgerVersion(self.last_version);
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let is_finished = match name {
            EntryName::Call(call) if is_finished => {
                self.finished.push_back(call);
                true
            }
            // Only calls have tombstones.
            _ => false,
        };
        if let Some(present) = self.entries.get_mut(&name) {
            self.counted.change(&name, present, StoreUsage::subtract);
            present.value.replace(value);
            present.length = length;
            present.version = version;
            present.expires = expires.max(present.expires);
            present.is_finished = is_finished;
            self.counted.change(&name, present, StoreUsage::add);
        } else {
            let stored = StoredValue { value: value.into(), length, version, expires, is_finished };
            self.counted.change(&name, &stored, StoreUsage::add);
            self.by_expiry.push(expires, name.clone());
            self.entries.insert(name, stored);
        }
        version
    }

    /// Returns the number of entries, and the bytes of all entries and tombstones.
    pub(super) fn used(&self) -> StoreUsage {
        let all = self.counted.all;
        StoreUsage { bytes: all.bytes + self.tombstones.bytes(), ..all }
    }

    /// Returns the usage without the entries that can be evicted.
    pub(super) fn kept(&self) -> StoreUsage {
        let (used, evictable) = (self.used(), self.evictable());
        StoreUsage { entries: used.entries - evictable.entries, bytes: used.bytes - evictable.bytes }
    }

    /// Returns the usage of the entries that can be evicted.
    pub(super) fn evictable(&self) -> StoreUsage {
        self.counted.evictable
    }

    /// Evicts the entry that was finished first, and keeps a tombstone until the entry would have expired. Returns
    /// whether an entry was evicted.
    pub(super) fn evict(&mut self) -> bool {
        while let Some(call) = self.finished.pop_front() {
            let name = EntryName::Call(call);
            let Some(stored) = self.entries.get(&name).filter(|stored| stored.is_finished) else { continue };
            self.tombstones.insert(Tombstone::of_call(call), stored.expires);
            self.remove(&name);
            if self.by_expiry.len() > 2 * self.entries.len() + LARGE {
                self.by_expiry.retain(|name| self.entries.contains_key(name));
            }
            return true;
        }
        false
    }

    /// Checks at most `most` entries, and removes the expired ones. Returns whether more entries may have expired.
    pub(super) fn sweep(&mut self, now: Instant, most: usize) -> bool {
        for _ in 0..most {
            let Some(name) = self.by_expiry.pop_due(now) else { return self.tombstones.sweep(now, most) };
            match self.entries.get(&name) {
                Some(stored) if now < stored.expires => self.by_expiry.push(stored.expires, name),
                _ => self.remove(&name),
            }
        }
        true
    }

    /// Returns the earliest time at which an entry or a tombstone can expire, or `None` if the store is empty.
    pub(super) fn next_expiry(&self) -> Option<Instant> {
        self.by_expiry.next().into_iter().chain(self.tombstones.next_expiry()).min()
    }

    fn remove(&mut self, name: &EntryName) {
        let Some(stored) = self.entries.remove(name) else { return };
        self.counted.change(name, &stored, StoreUsage::subtract);
        if self.finished.len() > 2 * self.counted.evictable.entries + LARGE {
            let is_finished = |call| self.entries.get(&EntryName::Call(call)).is_some_and(|stored| stored.is_finished);
            self.finished.retain(|call| is_finished(*call));
        }
        if let Some(capacity) = smaller_capacity(self.entries.len(), self.entries.capacity()) {
            self.entries.shrink_to(capacity);
            self.by_expiry.shrink_to(capacity);
            self.finished.shrink_to(capacity);
        }
    }
}

impl CountedEntries {
    fn change(&mut self, name: &EntryName, stored: &StoredValue, change: fn(&mut StoreUsage, usize)) {
        let bytes = name.len() + stored.length as usize + OVERHEAD;
        change(&mut self.all, bytes);
        if stored.is_finished {
            change(&mut self.evictable, bytes);
        }
    }
}

impl StoreUsage {
    /// Counts an entry of this size.
    fn add(&mut self, bytes: usize) {
        self.entries += 1;
        self.bytes += bytes;
    }

    /// Stops counting an entry of this size.
    fn subtract(&mut self, bytes: usize) {
        self.entries -= 1;
        self.bytes -= bytes;
    }
}

#[cfg(test)]
mod tests;
