//! The ledger of one process.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    fmt,
    future::ready,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use super::{
    Ledger, LedgerEntry, LedgerError, LedgerFuture, LedgerId, LedgerKey, LedgerRoom, LedgerTime, LedgerVersion, Swapped,
};
use crate::call::mixing::Mixing;

/// How many entries a ledger holds unless told otherwise.
const ENTRIES: usize = 64 * 1024;
/// How many bytes a ledger holds unless told otherwise.
const BYTES: usize = 128 * 1024 * 1024;
/// What an entry costs beyond its key and its value, rounded up.
const OVERHEAD: usize = 256;
/// How many entries are looked at in one go, at most.
const FEW: usize = 32;
const MANY: usize = 1024;
/// Entries that expire within this time are removed together.
const SWEEP: Duration = Duration::from_secs(10);
/// The time of the ledger is in whole ones, rounded down.
const MILLISECOND: Duration = Duration::from_millis(1);
/// Longer than any call, short enough for the clock.
const AGES: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// A [`Ledger`] in memory: what a server has unless another is set.
///
/// It covers one process. A conversation that is open when the process ends is over, and its client is told so: the
/// next process has a ledger with another id, and honours no state of this one.
///
/// It is bounded to 65,536 entries and 128 MiB. New calls are refused when it has seven eighths of the entries, or when
/// half of the bytes are taken: the rest is for the calls under way. [`with_limits`](Self::with_limits) sets both. An entry costs at
/// most 256 bytes beyond its key and its value, and is freed within 10 s after it expired. Every operation is done when
/// its future is first polled.
///
/// Entries and states expire by the monotonic clock, which starts at the wall clock's time when the ledger is made. A
/// wall clock that is changed later has no effect. On systems whose monotonic clock stops while the machine sleeps, so
/// does the ledger's time.
///
/// A clone is the same ledger.
#[derive(Clone)]
pub struct MemoryLedger(Arc<Shared>);

struct Shared {
    id: LedgerId,
    entries: usize,
    bytes: usize,
    /// When it was made, by the two clocks.
    made: (Instant, LedgerTime),
    store: Mutex<Store>,
}

#[derive(Default)]
struct Store {
    entries: HashMap<Arc<str>, Stored, Mixing>,
    /// Each entry once, with a time at which it had or will have expired.
    by_expiry: BinaryHeap<Reverse<(Instant, Arc<str>)>>,
    bytes: usize,
    last_version: u64,
    swept: bool,
}

struct Stored {
    value: Arc<[u8]>,
    version: LedgerVersion,
    expires: Instant,
}

impl MemoryLedger {
    /// An empty one with a new id.
    pub fn new() -> Self {
        Self::with_limits(ENTRIES, BYTES)
    }

    /// Creates a ledger limited to `entries` entries and `bytes` bytes. It has room for new calls until seven eighths of
    /// the entries or half of the bytes are taken.
    pub fn with_limits(entries: usize, bytes: usize) -> Self {
        let made = (Instant::now(), LedgerTime::of_wall_clock());
        Self(Arc::new(Shared { id: LedgerId::random(), entries, bytes, made, store: Mutex::default() }))
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

    fn room(&self) -> Option<LedgerRoom> {
        Some(self.0.room())
    }

    fn now(&self) -> LedgerTime {
        self.0.time(Instant::now())
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move { self.0.load(key) })
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move { self.0.swap(key, seen, value, keep, before) })
    }
}

impl Shared {
    fn load(&self, key: LedgerKey<'_>) -> Result<Option<LedgerEntry>, LedgerError> {
        self.own(key)?;
        Ok(self.lock().entry(key.name(), Instant::now()))
    }

    fn swap(
        self: &Arc<Self>,
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> Result<Swapped, LedgerError> {
        self.own(key)?;
        let name = key.name();
        let mut store = self.lock();
        // Under the lock, so that nothing was removed by a later time than this.
        let now = Instant::now();
        store.sweep(now, FEW);
        let present = store.entry(name, now);
        let left = before.map(|before| before.since(self.time(now)));
        if left == Some(Duration::ZERO) {
            return Ok(Swapped::TooLate);
        }
        if present.as_ref().map(|entry| entry.version) != seen {
            return Ok(Swapped::Conflict(present));
        }
        if !self.has_room(&mut store, name, value.len(), present.as_ref(), now) {
            return Err(LedgerError::Full);
        }
        let keep = left.map_or(keep, |left| keep.max(left + MILLISECOND));
        let version = store.write(name, value, now + keep.min(AGES));
        let swept = std::mem::replace(&mut store.swept, true);
        // A task that is not taken is dropped, and locks for it.
        drop(store);
        if !swept {
            self.sweep_later();
        }
        Ok(Swapped::Done(version))
    }

    fn time(&self, now: Instant) -> LedgerTime {
        let (at, time) = self.made;
        time.after(now.saturating_duration_since(at))
    }

    fn own(&self, key: LedgerKey<'_>) -> Result<(), LedgerError> {
        if key.ledger() == self.id { Ok(()) } else { Err(LedgerError::Replaced) }
    }

    /// New calls have half of the bytes, and promise no more than a quarter. Those under way grow into the next quarter:
    /// so what was promised has a place, whatever they need.
    fn room(&self) -> LedgerRoom {
        let now = Instant::now();
        let mut store = self.lock();
        let of = |store: &Store| LedgerRoom {
            entries: (self.entries - self.entries / 8).saturating_sub(store.entries.len()),
            bytes: (self.bytes / 2).saturating_sub(store.bytes).min(self.bytes / 4),
        };
        store.sweep(now, FEW);
        let mut room = of(&store);
        while (room.entries == 0 || room.bytes < self.bytes / 8) && store.sweep(now, MANY) {
            room = of(&store);
        }
        of(&store)
    }

    /// Whether the entry fits. One that is there may not grow where a new one must have its place.
    fn has_room(
        &self,
        store: &mut Store,
        name: &str,
        length: usize,
        present: Option<&LedgerEntry>,
        now: Instant,
    ) -> bool {
        let fits = |store: &Store| match present {
            Some(entry) => {
                length <= entry.value.len() || store.bytes - entry.value.len() + length <= self.bytes / 4 * 3
            }
            None => store.entries.len() < self.entries && store.bytes + name.len() + length + OVERHEAD <= self.bytes,
        };
        fits(store) || {
            while store.sweep(now, MANY) {}
            fits(store)
        }
    }

    /// One task removes what expires, as long as there is anything. Where there is no runtime, and in any case, every
    /// swap removes a little.
    fn sweep_later(self: &Arc<Self>) {
        let sweeper = Sweeper(Arc::downgrade(self));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            drop(runtime.spawn(sweep(sweeper)));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    fn entry(&self, name: &str, now: Instant) -> Option<LedgerEntry> {
        let stored = self.entries.get(name).filter(|stored| now < stored.expires)?;
        Some(LedgerEntry { value: Arc::clone(&stored.value), version: stored.version })
    }

    fn write(&mut self, name: &str, value: Arc<[u8]>, expires: Instant) -> LedgerVersion {
        self.last_version += 1;
        let version = LedgerVersion(self.last_version);
        self.bytes += value.len();
        let stored = Stored { value, version, expires };
        if let Some(present) = self.entries.get_mut(name) {
            self.bytes -= present.value.len();
            *present = Stored { expires: expires.max(present.expires), ..stored };
        } else {
            let name: Arc<str> = name.into();
            self.bytes += name.len() + OVERHEAD;
            self.by_expiry.push(Reverse((expires, Arc::clone(&name))));
            self.entries.insert(name, stored);
        }
        version
    }

    /// Looks at some of the entries that may have expired; whether there may be more.
    fn sweep(&mut self, now: Instant, most: usize) -> bool {
        for _ in 0..most {
            if self.by_expiry.peek().is_none_or(|Reverse((expires, _))| now < *expires) {
                return false;
            }
            let Some(Reverse((_, name))) = self.by_expiry.pop() else { return false };
            match self.entries.get(&name) {
                Some(stored) if now < stored.expires => self.by_expiry.push(Reverse((stored.expires, name))),
                _ => self.remove(&name),
            }
        }
        true
    }

    fn remove(&mut self, name: &str) {
        let Some(stored) = self.entries.remove(name) else { return };
        self.bytes -= name.len() + stored.value.len() + OVERHEAD;
        if MANY < self.entries.capacity() && self.entries.len() * 8 < self.entries.capacity() {
            self.entries.shrink_to(self.entries.len() * 2);
            self.by_expiry.shrink_to(self.entries.len() * 2);
        }
    }
}

/// The right to sweep, of one task at most.
struct Sweeper(Weak<Shared>);

async fn sweep(mut sweeper: Sweeper) {
    while let Some(next) = sweeper.sweep() {
        sleep_until(next).await;
    }
}

impl Sweeper {
    /// Removes some; gives the time to go on, unless nothing is left.
    fn sweep(&mut self) -> Option<Instant> {
        let shared = self.0.upgrade()?;
        let now = Instant::now();
        let mut store = shared.lock();
        if store.sweep(now, MANY) {
            return Some(now);
        }
        let Some(Reverse((expires, _))) = store.by_expiry.peek() else {
            // Under the lock, so that the next entry is not missed; and once, for it has a task of its own then.
            store.swept = false;
            self.0 = Weak::new();
            return None;
        };
        Some((*expires).max(now + SWEEP))
    }
}

impl Drop for Sweeper {
    /// The runtime may end before the ledger.
    fn drop(&mut self) {
        if let Some(shared) = self.0.upgrade() {
            shared.lock().swept = false;
        }
    }
}

impl fmt::Debug for MemoryLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let store = self.0.lock();
        f.debug_struct("MemoryLedger")
            .field("id", &self.0.id)
            .field("entries", &store.entries.len())
            .field("bytes", &store.bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
impl MemoryLedger {
    pub(super) fn entries(&self) -> usize {
        self.0.lock().entries.len()
    }

    /// As counted against the limit.
    pub(super) fn bytes(&self) -> usize {
        self.0.lock().bytes
    }

    /// As taken from an allocator that rounds up to 16 bytes and adds 8.
    pub(super) fn allocated(&self) -> usize {
        const COUNTS: usize = 2 * size_of::<usize>();
        let block = |size: usize| (size + 8).next_multiple_of(16);
        let store = self.0.lock();
        let buckets = (store.entries.capacity() * 8 / 7).next_power_of_two();
        let table = buckets * (size_of::<(Arc<str>, Stored)>() + 1);
        let heap = store.by_expiry.capacity() * size_of::<(Instant, Arc<str>)>();
        let each = store
            .entries
            .iter()
            .map(|(name, Stored { value, .. })| block(COUNTS + name.len()) + block(COUNTS + value.len()));
        table + heap + each.sum::<usize>()
    }
}
