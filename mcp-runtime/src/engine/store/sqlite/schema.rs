//! The tables of the file.

use rusqlite::Connection;

use super::error::{FileError, VERSION};
use crate::engine::durable::ledger::LedgerId;

/// The SQLite `application_id` that marks a file as a store.
const APPLICATION: i32 = i32::from_be_bytes(*b"mcpL");

/// Creates the tables that a file of this format lacks. An empty file has the format 0.
pub(super) fn create(connection: &Connection, found: i32) -> rusqlite::Result<()> {
    if found == 0 {
        connection.execute_batch(include_str!("ledger.sql"))?;
        let id = LedgerId::random().to_bytes();
        connection.execute("INSERT INTO ledger (one, id, last_version, time) VALUES (1, ?1, 0, 0)", [&id[..]])?;
        connection.pragma_update(None, "application_id", APPLICATION)?;
    }
    if found < 2 {
        connection.execute_batch(include_str!("finished.sql"))?;
    }
    if found < VERSION {
        connection.execute_batch(include_str!("runs.sql"))?;
        connection.pragma_update(None, "user_version", VERSION)?;
    }
    Ok(())
}

/// Returns the format of the file, or 0 if it is empty.
pub(super) fn look(connection: &Connection) -> Result<i32, FileError> {
    let number = |query| connection.query_one(query, [], |row| row.get::<_, i32>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    if application == APPLICATION {
        return match version {
            1..=VERSION => Ok(version),
            newer => Err(FileError::Newer(newer)),
        };
    }
    let is_empty = (application, version) == (0, 0) && number("SELECT count(*) FROM sqlite_schema")? == 0;
    if is_empty { Ok(0) } else { Err(FileError::Foreign) }
}
