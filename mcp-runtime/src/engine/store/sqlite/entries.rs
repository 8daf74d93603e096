//! The operations on the entries in the SQLite file.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::{Connection, Row, TransactionBehavior};

use super::{
    error::{FileError, PATIENCE},
    file::{File, PAGE},
    finished,
};
use crate::engine::{
    call::ledger_time::LedgerTime,
    durable::ledger::{LedgerEntry, LedgerId, LedgerKey, LedgerVersion, Swapped, tombstone::Tombstone},
    store::{
        sql::number,
        time::{SeenTime, kept_millis},
    },
};

/// The maximum number of expired or evictable entries that one write removes. A write that finds no room removes up to
/// `MANY`.
const FEW: u32 = 8;
const MANY: u32 = 1024;
/// The maximum number of pages that a new entry takes in addition to the pages of its value.
pub(super) const SPARE_PAGES: u64 = 4;

/// Returns one row with the id of the ledger, its time, and the entry. If the entry is absent or expired, its columns
/// are null.
const PRESENT: &str = "SELECT ledger.id, max(ledger.time, ?2), entry.version, entry.value FROM ledger \
    LEFT JOIN entry ON entry.name = ?1 AND max(ledger.time, ?2) < entry.expires";
const EXPIRED: &str = "DELETE FROM entry WHERE rowid IN \
    (SELECT rowid FROM entry WHERE expires <= ?1 ORDER BY expires LIMIT ?2)";
const NEXT_VERSION: &str = "UPDATE ledger SET last_version = last_version + 1, time = ?1 RETURNING last_version";
const WRITE: &str = "INSERT INTO entry (name, version, expires, value, finished) VALUES (?1, ?2, ?3, ?4, ?5) \
    ON CONFLICT (name) DO UPDATE SET version = ?2, expires = max(expires, ?3), value = ?4, finished = ?5 \
    RETURNING expires";
/// The version of an entry whose value was evicted. No write gets this version.
const EVICTED: LedgerVersion = LedgerVersion(0);

/// A write that waits for its batch. It is a `finish` if `is_last` is set, and a `swap` otherwise.
pub(super) struct QueuedSwap {
    ledger: LedgerId,
    name: String,
    pub(super) seen: Option<LedgerVersion>,
    pub(super) value: Arc<[u8]>,
    pub(super) keep: Duration,
    pub(super) before: Option<LedgerTime>,
    pub(super) is_last: bool,
    /// The time at which the caller stops waiting for the result.
    pub(super) until: Instant,
}

impl QueuedSwap {
    pub(super) fn new(
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> Self {
        let (ledger, name, until) = (key.ledger(), key.name().to_owned(), Instant::now() + PATIENCE);
        Self { ledger, name, seen, value, keep, before, is_last: false, until }
    }

    pub(super) fn last(self) -> Self {
        Self { is_last: true, ..self }
    }

    pub(super) fn key(&self) -> LedgerKey<'_> {
        LedgerKey::new(self.ledger, &self.name)
    }
}

impl File {
    pub(super) fn id(&mut self) -> Result<LedgerId, FileError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM ledger")?;
        let id = LedgerId::from_bytes(statement.query_one([], |row| row.get(0))?);
        self.id = id;
        Ok(id)
    }

    /// Reads the time stored in the file, so that the ledger's time is not earlier.
    pub(super) fn look_at_time(&self) -> Result<(), FileError> {
        let time = self.connection.query_one("SELECT time FROM ledger", [], |row| row.get::<_, i64>(0))?;
        self.time.see(LedgerTime::of_wall_clock().max(from_row(time)));
        Ok(())
    }

    pub(super) fn load(&self, key: LedgerKey<'_>) -> Result<Option<LedgerEntry>, FileError> {
        Ok(present(&self.connection, key, &self.time)?.1)
    }

    pub(super) fn write(&mut self, write: &QueuedSwap) -> Result<Swapped, FileError> {
        let pages = self.pages;
        match self.write_together(std::slice::from_ref(write)).map(|mut results| results.remove(0)) {
            // SQLite has one error code for a full disk and for a file at its size limit. A replaced value takes room
            // twice for a moment, so the file can reach the limit although the check found room.
            Err(FileError::DiskFull) if 2 * pages <= taken(&self.connection)? + pages_of(write.value.len()) => {
                Err(FileError::Full)
            }
            Ok(result) => result,
            Err(problem) => Err(problem),
        }
    }

    /// Writes all `writes` in one transaction. If the transaction fails, nothing is written.
    pub(super) fn write_together(
        &mut self,
        writes: &[QueuedSwap],
    ) -> Result<Vec<Result<Swapped, FileError>>, FileError> {
        // The transaction is rolled back if it is dropped before the commit.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let written = |write| match self::write(&transaction, &self.time, self.pages, write) {
            // These errors are detected before anything is written.
            Err(problem @ (FileError::Full | FileError::Replaced)) => Ok(Err(problem)),
            result => result.map(Ok),
        };
        let results = writes.iter().map(written).collect::<Result<Vec<_>, _>>()?;
        transaction.commit()?;
        Ok(results)
    }
}

fn write(connection: &Connection, time: &SeenTime, pages: u64, write: &QueuedSwap) -> Result<Swapped, FileError> {
    let (key, value) = (write.key(), &write.value);
    let (now, present) = present(connection, key, time)?;
    if write.before.is_some_and(|before| before <= now) {
        return Ok(Swapped::TooLate);
    }
    if present.as_ref().map(|entry| entry.version) != write.seen {
        return Ok(Swapped::Conflict(present));
    }
    remove_expired(connection, now, FEW)?;
    let has_room = || has_room(connection, pages, present.as_ref(), value.len());
    if !has_room()? {
        finished::evict(connection, MANY)?;
        remove_expired(connection, now, MANY)?;
        if !has_room()? {
            return Err(FileError::Full);
        }
    }
    let version: i64 = connection.prepare_cached(NEXT_VERSION)?.query_one([to_row(now)], |row| row.get(0))?;
    let keep = Duration::from_millis(kept_millis(write.keep));
    let expires = to_row(now.after(keep).max(write.before.unwrap_or_default()));
    // Only the ids of calls have tombstones.
    let finished = Tombstone::of(key.name()).filter(|_| write.is_last);
    let row = (key.name(), version, expires, &**value, finished.is_some());
    let expires = connection.prepare_cached(WRITE)?.query_one(row, |row| row.get(0))?;
    if let Some(call) = finished {
        finished::insert(connection, call, expires)?;
        if !takes_at_most(connection, pages / 4)? {
            finished::evict(connection, FEW)?;
        }
    }
    Ok(Swapped::Done(LedgerVersion(version.cast_unsigned())))
}

/// Reads the ledger's time and the entry. Fails if the key names another ledger.
fn present(
    connection: &Connection,
    key: LedgerKey<'_>,
    time: &SeenTime,
) -> Result<(LedgerTime, Option<LedgerEntry>), FileError> {
    let here = time.now().max(LedgerTime::of_wall_clock());
    let mut statement = connection.prepare_cached(PRESENT)?;
    let read = |row: &Row<'_>| Ok((row.get(0)?, from_row(row.get(1)?), entry(row)?));
    let (id, now, entry) = statement.query_one((key.name(), to_row(here)), read)?;
    time.see(now);
    if LedgerId::from_bytes(id) != key.ledger() {
        return Err(FileError::Replaced);
    }
    match Tombstone::of(key.name()) {
        Some(call) if entry.is_none() && finished::contains(connection, call, to_row(now))? => {
            Ok((now, Some(LedgerEntry { value: Arc::default(), version: EVICTED })))
        }
        _ => Ok((now, entry)),
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Option<LedgerEntry>> {
    let Some(version) = row.get::<_, Option<i64>>(2)? else { return Ok(None) };
    let value = Arc::from(row.get_ref(3)?.as_blob()?);
    Ok(Some(LedgerEntry { value, version: LedgerVersion(version.cast_unsigned()) }))
}

fn remove_expired(connection: &Connection, now: LedgerTime, most: u32) -> Result<(), FileError> {
    connection.prepare_cached(EXPIRED)?.execute((to_row(now), most))?;
    finished::remove_expired(connection, to_row(now), most)
}

/// Returns whether the entry fits. A new entry can only use the first half of the file. An existing entry can use the
/// whole file, and always fits if its value does not grow.
fn has_room(
    connection: &Connection,
    pages: u64,
    present: Option<&LedgerEntry>,
    length: usize,
) -> Result<bool, FileError> {
    let growth = length.saturating_sub(present.map_or(0, |entry| entry.value.len()));
    if present.is_some() && growth == 0 {
        return Ok(true);
    }
    let most = if present.is_some() { pages } else { pages / 2 };
    takes_at_most(connection, most.saturating_sub(pages_of(growth)))
}

/// Returns whether the ledger takes at most this number of pages. The runs are counted only if it matters, because that
/// takes longer.
fn takes_at_most(connection: &Connection, pages: u64) -> Result<bool, FileError> {
    let taken = taken(connection)?;
    Ok(taken <= pages || taken.saturating_sub(pages_of_runs(connection)?) <= pages)
}

/// Returns the number of used pages in the file.
pub(super) fn taken(connection: &Connection) -> Result<u64, FileError> {
    let count = |pragma| connection.prepare_cached(pragma)?.query_one([], |row| row.get::<_, u32>(0));
    Ok(u64::from(count("PRAGMA page_count")?.saturating_sub(count("PRAGMA freelist_count")?)))
}

/// Returns about how many pages the runs take.
fn pages_of_runs(connection: &Connection) -> Result<u64, FileError> {
    let mut statement = connection.prepare_cached("SELECT coalesce(sum(bytes), 0) FROM run")?;
    Ok(statement.query_one([], |row| row.get::<_, i64>(0))?.cast_unsigned() / PAGE)
}

/// Returns the maximum number of pages that a value of this length takes.
fn pages_of(bytes: usize) -> u64 {
    bytes as u64 / PAGE + SPARE_PAGES
}

fn to_row(LedgerTime(time): LedgerTime) -> i64 {
    number(time)
}

fn from_row(time: i64) -> LedgerTime {
    LedgerTime(time.cast_unsigned())
}
