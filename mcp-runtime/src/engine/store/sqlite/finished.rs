//! Stores finished calls. A finished call takes one bit until it expires, and has a reply that can be evicted.

use rusqlite::{Connection, OptionalExtension as _};

use super::error::FileError;
use crate::engine::durable::ledger::tombstone::{Tombstone, TombstoneGroup};

const MARKS: &str = "SELECT marks FROM finished WHERE calls = ?1 AND ?2 < expires";
const WRITE: &str = "INSERT INTO finished (calls, marks, expires) VALUES (?1, ?2, ?3) \
    ON CONFLICT (calls) DO UPDATE SET marks = ?2, expires = max(expires, ?3)";
const EXPIRED: &str = "DELETE FROM finished WHERE calls IN \
    (SELECT calls FROM finished WHERE expires <= ?1 ORDER BY expires LIMIT ?2)";
const EVICTED: &str = "DELETE FROM entry WHERE rowid IN \
    (SELECT rowid FROM entry WHERE finished ORDER BY version LIMIT ?1)";

pub(super) fn contains(connection: &Connection, call: Tombstone, now: i64) -> Result<bool, FileError> {
    Ok(marks(connection, call, now)?.is_some_and(|marks| marks.contains(call.bit)))
}

pub(super) fn insert(connection: &Connection, call: Tombstone, expires: i64) -> Result<(), FileError> {
    let marks = match marks(connection, call, i64::MIN)? {
        Some(mut marks) => {
            marks.insert(call.bit);
            marks
        }
        None => TombstoneGroup::one(call.bit),
    };
    connection.prepare_cached(WRITE)?.execute((call.group.cast_signed(), marks.to_bytes(), expires))?;
    Ok(())
}

/// Evicts the replies of the calls that were finished first.
pub(super) fn evict(connection: &Connection, most: u32) -> Result<(), FileError> {
    connection.prepare_cached(EVICTED)?.execute([most])?;
    Ok(())
}

pub(super) fn remove_expired(connection: &Connection, now: i64, most: u32) -> Result<(), FileError> {
    connection.prepare_cached(EXPIRED)?.execute((now, most))?;
    Ok(())
}

fn marks(connection: &Connection, call: Tombstone, now: i64) -> Result<Option<TombstoneGroup>, FileError> {
    let mut statement = connection.prepare_cached(MARKS)?;
    let read = |row: &rusqlite::Row<'_>| Ok(TombstoneGroup::from_bytes(row.get_ref(0)?.as_blob()?));
    match statement.query_one((call.group.cast_signed(), now), read).optional()? {
        Some(None) => {
            Err(FileError::Damaged(rusqlite::Error::InvalidColumnType(0, "marks".into(), rusqlite::types::Type::Blob)))
        }
        marks => Ok(marks.flatten()),
    }
}
