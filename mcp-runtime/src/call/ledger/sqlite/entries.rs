//! The operations, each in one transaction.

use std::{sync::Arc, time::Duration};

use rusqlite::{Connection, Row, TransactionBehavior};

use super::{LedgerEntry, LedgerId, LedgerKey, LedgerVersion, Swapped, error::Trouble, file::File};
use crate::call::clock::since_1970;

/// How many expired entries a swap removes, and how many when there is no room.
const FEW: u32 = 8;
const MANY: u32 = 1024;
/// What a new entry may take beyond the pages of its value.
const SPARE_PAGES: u64 = 4;

/// One row, whether there is an entry or not: the ledger, and the entry if it has not expired.
const PRESENT: &str = "SELECT ledger.id, entry.version, entry.value FROM ledger \
    LEFT JOIN entry ON entry.name = ?1 AND ?2 < entry.expires";
const EXPIRED: &str = "DELETE FROM entry WHERE rowid IN \
    (SELECT rowid FROM entry WHERE expires <= ?1 ORDER BY expires LIMIT ?2)";
const NEXT_VERSION: &str = "UPDATE ledger SET last_version = last_version + 1 RETURNING last_version";
const WRITE: &str = "INSERT INTO entry (name, version, expires, value) VALUES (?1, ?2, ?3, ?4) \
    ON CONFLICT (name) DO UPDATE SET version = ?2, expires = ?3, value = ?4";

impl File {
    pub(super) fn id(&mut self) -> Result<LedgerId, Trouble> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM ledger")?;
        let id = LedgerId::from_bytes(statement.query_one([], |row| row.get(0))?);
        self.id = id;
        Ok(id)
    }

    pub(super) fn load(&self, key: LedgerKey<'_>) -> Result<Option<LedgerEntry>, Trouble> {
        present(&self.connection, key, now())
    }

    pub(super) fn swap(
        &mut self,
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        value: &[u8],
        keep: Duration,
    ) -> Result<Swapped, Trouble> {
        match self.write(key, seen, value, keep) {
            // SQLite has one code for a full disk and for a file that may not grow. A value that is replaced takes its
            // room twice for a moment, so a file can reach its end where there was room by our count.
            Err(Trouble::DiskFull) if self.pages <= self.taken()? + pages_of(value.len()) => Err(Trouble::Full),
            result => result,
        }
    }

    fn write(
        &mut self,
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        value: &[u8],
        keep: Duration,
    ) -> Result<Swapped, Trouble> {
        let pages = self.pages;
        // Dropped before it is committed, it changes nothing.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let now = now();
        let present = present(&transaction, key, now)?;
        if present.as_ref().map(|entry| entry.version) != seen {
            return Ok(Swapped::Conflict(present));
        }
        remove_expired(&transaction, now, FEW)?;
        let has_room = || has_room(&transaction, pages, present.as_ref(), value.len());
        if !has_room()? {
            remove_expired(&transaction, now, MANY)?;
            if !has_room()? {
                return Err(Trouble::Full);
            }
        }
        let version: i64 = transaction.prepare_cached(NEXT_VERSION)?.query_one([], |row| row.get(0))?;
        let expires = now.saturating_add(millis(keep));
        transaction.prepare_cached(WRITE)?.execute((key.name(), version, expires, value))?;
        transaction.commit()?;
        Ok(Swapped::Done(LedgerVersion(version.cast_unsigned())))
    }

    fn taken(&self) -> Result<u64, Trouble> {
        taken(&self.connection)
    }
}

/// The entry, in the ledger that the key names.
fn present(connection: &Connection, key: LedgerKey<'_>, now: i64) -> Result<Option<LedgerEntry>, Trouble> {
    let mut statement = connection.prepare_cached(PRESENT)?;
    let (id, entry) = statement.query_one((key.name(), now), |row| Ok((row.get(0)?, entry(row)?)))?;
    if LedgerId::from_bytes(id) == key.ledger() { Ok(entry) } else { Err(Trouble::Replaced) }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Option<LedgerEntry>> {
    let Some(version) = row.get::<_, Option<i64>>(1)? else { return Ok(None) };
    let value = Arc::from(row.get_ref(2)?.as_blob()?);
    Ok(Some(LedgerEntry { value, version: LedgerVersion(version.cast_unsigned()) }))
}

fn remove_expired(connection: &Connection, now: i64, most: u32) -> Result<(), Trouble> {
    connection.prepare_cached(EXPIRED)?.execute((now, most))?;
    Ok(())
}

/// Whether the entry fits: a new one into half of the file, one that is there as long as it does not grow, or into all.
fn has_room(
    connection: &Connection,
    pages: u64,
    present: Option<&LedgerEntry>,
    length: usize,
) -> Result<bool, Trouble> {
    let growth = length.saturating_sub(present.map_or(0, |entry| entry.value.len()));
    if present.is_some() && growth == 0 {
        return Ok(true);
    }
    let most = if present.is_some() { pages } else { pages / 2 };
    Ok(taken(connection)? + pages_of(growth) <= most)
}

/// How many pages of the file are in use.
fn taken(connection: &Connection) -> Result<u64, Trouble> {
    let count = |pragma| connection.prepare_cached(pragma)?.query_one([], |row| row.get::<_, u32>(0));
    Ok(u64::from(count("PRAGMA page_count")?.saturating_sub(count("PRAGMA freelist_count")?)))
}

/// How many pages so many bytes of a value may take.
fn pages_of(bytes: usize) -> u64 {
    bytes as u64 / super::file::PAGE + SPARE_PAGES
}

/// Since 1970.
fn now() -> i64 {
    millis(since_1970())
}

/// Rounded up, so that nothing is kept too short.
fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(i64::MAX)
}
