//! The store of the ledger that all instances share. Each operation uses the clock of its process, as a ledger in a
//! file or in Redis does.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::time::Instant;

use super::Rules;
use crate::{
    base::clock::now,
    engine::{
        call::{lease::LedgerError, ledger_time::LedgerTime},
        durable::ledger::{LedgerEntry, LedgerId, LedgerKey, LedgerVersion, Swapped},
        store::time::SeenTime,
    },
};

pub(super) struct SharedStore {
    id: LedgerId,
    /// The latest time of any write.
    time: LedgerTime,
    last_version: u64,
    entries: HashMap<String, Stored>,
}

struct Stored {
    entry: LedgerEntry,
    expires: LedgerTime,
    /// Whether the ledger can discard the value.
    is_finished: bool,
}

/// The clocks of a process.
pub(super) struct Clock {
    rules: Rules,
    seen: SeenTime,
    wall: Wall,
}

/// The wall clock of a machine, which can step.
#[derive(Clone)]
pub(super) struct Wall(Arc<Mutex<Shown>>);

/// The state of a wall clock.
struct Shown {
    start: (Instant, LedgerTime),
    /// How far the clock is ahead of the right time, in seconds.
    ahead: i64,
}

impl SharedStore {
    pub(super) fn new() -> Self {
        Self { id: LedgerId::random(), time: LedgerTime::default(), last_version: 0, entries: HashMap::new() }
    }

    pub(super) fn id(&self) -> LedgerId {
        self.id
    }

    pub(super) fn load(&self, clock: &Clock, key: LedgerKey<'_>) -> Result<Option<LedgerEntry>, LedgerError> {
        self.present(key, clock.time(self.time))
    }

    pub(super) fn swap(
        &mut self,
        clock: &Clock,
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> Result<Swapped, LedgerError> {
        let now = clock.time(self.time);
        let present = self.present(key, now)?;
        let is_late = |before| before <= if clock.rules.one_clock { now } else { clock.wall.now() };
        if before.is_some_and(is_late) {
            return Ok(Swapped::TooLate);
        }
        if present.as_ref().map(|entry| entry.version) != seen {
            return Ok(Swapped::Conflict(present));
        }
        self.time = now;
        self.entries.retain(|_, stored| now < stored.expires);
        self.last_version += 1;
        let version = LedgerVersion(self.last_version);
        let before = before.filter(|_| clock.rules.one_clock).unwrap_or_default();
        let earlier = self.entries.get(key.name()).map_or(LedgerTime::default(), |stored| stored.expires);
        let expires = now.after(keep).max(before).max(earlier);
        let stored = Stored { entry: LedgerEntry { value, version }, expires, is_finished: false };
        self.entries.insert(key.name().to_owned(), stored);
        Ok(Swapped::Done(version))
    }

    /// Writes the last value of an entry.
    pub(super) fn finish(
        &mut self,
        clock: &Clock,
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> Result<Swapped, LedgerError> {
        let swapped = self.swap(clock, key, seen, value, keep, None)?;
        if let Swapped::Done(_) = swapped
            && let Some(stored) = self.entries.get_mut(key.name())
        {
            stored.is_finished = true;
        }
        Ok(swapped)
    }

    /// Discards the values of finished entries, or the whole entries if the rules exclude tombstones. Returns whether
    /// any entry was finished.
    pub(super) fn evict(&mut self, rules: Rules) -> bool {
        let is_finished = |stored: &Stored| stored.is_finished;
        let any = self.entries.values().any(is_finished);
        for stored in self.entries.values_mut().filter(|stored| stored.is_finished) {
            stored.entry = LedgerEntry { value: Arc::default(), version: LedgerVersion(0) };
        }
        self.entries.retain(|_, stored| rules.tombstones || !is_finished(stored));
        any
    }

    fn present(&self, key: LedgerKey<'_>, now: LedgerTime) -> Result<Option<LedgerEntry>, LedgerError> {
        if key.ledger() != self.id {
            return Err(LedgerError::Replaced);
        }
        let stored = self.entries.get(key.name()).filter(|stored| now < stored.expires);
        Ok(stored.map(|stored| stored.entry.clone()))
    }
}

impl Clock {
    pub(super) fn new(rules: Rules, wall: Wall) -> Self {
        Self { rules, seen: SeenTime::new(wall.now()), wall }
    }

    /// Returns the ledger's time as this process knows it, without an operation.
    pub(super) fn now(&self) -> LedgerTime {
        if self.rules.one_clock { self.seen.now() } else { self.wall.now() }
    }

    /// Returns the time of an operation. `kept` is the latest time of any write.
    fn time(&self, kept: LedgerTime) -> LedgerTime {
        let wall = self.wall.now();
        if self.rules.mark { self.seen.see(wall.max(kept)) } else { wall }
    }
}

impl Wall {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(Shown { start: (Instant::now(), LedgerTime(now())), ahead: 0 })))
    }

    pub(super) fn now(&self) -> LedgerTime {
        let Shown { start: (at, time), ahead } = *self.0.lock().unwrap();
        LedgerTime(time.after(at.elapsed()).0.saturating_add_signed(ahead * 1000))
    }

    /// Moves the clock forward, or back if `seconds` is negative.
    pub(super) fn step(&self, seconds: i64) {
        self.0.lock().unwrap().ahead += seconds;
    }

    /// Corrects the clock if it is ahead.
    pub(super) fn correct_if_ahead(&self) {
        let mut shown = self.0.lock().unwrap();
        shown.ahead = shown.ahead.min(0);
    }
}
