//! The tables of the file.

use rusqlite::Connection;

use super::error::{FileError, VERSION};
use crate::engine::durable::ledger::LedgerId;

/// The SQLite `application_id` that marks a file as a store.
const APPLICATION: i32 = i32::from_be_bytes(*b"mcpL");

/// Creates two tables: one has a single row for the ledger, the other has a row for each entry.
const LEDGER_TABLES: &str = "
    CREATE TABLE ledger (
        one INTEGER PRIMARY KEY CHECK (one = 1), -- there is one row
        id BLOB NOT NULL,
        last_version INTEGER NOT NULL,
        time INTEGER NOT NULL -- of the last write
    ) STRICT;
    CREATE TABLE entry (
        name TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        expires INTEGER NOT NULL, -- by the time of the ledger, in milliseconds
        value BLOB NOT NULL
    ) STRICT;
    CREATE INDEX entry_by_expiry ON entry (expires);";

/// The SQL that creates a table with a row for each group of finished calls, and an index of evictable entries, oldest
/// first.
const FINISHED_TABLES: &str = "
    ALTER TABLE entry ADD COLUMN finished INTEGER NOT NULL DEFAULT 0; -- whether it can be evicted
    CREATE INDEX entry_by_end ON entry (version) WHERE finished;
    CREATE TABLE finished (
        calls INTEGER PRIMARY KEY, -- the group
        marks BLOB NOT NULL,
        expires INTEGER NOT NULL -- with the last call of the group
    ) STRICT;
    CREATE INDEX finished_by_expiry ON finished (expires);";

/// The SQL that creates the tables of runs.
const RUN_TABLES: &str = "
    CREATE TABLE run (
        id TEXT NOT NULL PRIMARY KEY,
        tool TEXT NOT NULL,
        action TEXT NOT NULL,
        owner TEXT,
        status TEXT NOT NULL,
        instance TEXT NOT NULL,
        created_at INTEGER NOT NULL, -- milliseconds since 1970
        updated_at INTEGER NOT NULL,
        version INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        details TEXT NOT NULL -- JSON
    ) STRICT;
    CREATE INDEX run_by_time ON run (tool, created_at, id);
    CREATE INDEX run_by_instance ON run (instance, status);
    -- Has all that the limits need, so that large records are not read.
    CREATE INDEX run_by_status ON run (tool, status, owner, updated_at, id, bytes);
    CREATE TABLE beat (
        instance TEXT NOT NULL PRIMARY KEY,
        count INTEGER NOT NULL
    ) STRICT;
    -- The last writes of runs, for the other processes.
    CREATE TABLE written_run (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL,
        version INTEGER NOT NULL
    ) STRICT;
    CREATE TRIGGER run_written AFTER UPDATE ON run BEGIN
        INSERT INTO written_run (id, version) VALUES (new.id, new.version);
        DELETE FROM written_run WHERE number <= last_insert_rowid() - 256;
    END;";

/// Creates the tables that a file of this format lacks. An empty file has the format 0.
pub(super) fn create(connection: &Connection, found: i32) -> rusqlite::Result<()> {
    if found == 0 {
        connection.execute_batch(LEDGER_TABLES)?;
        let id = LedgerId::random().to_bytes();
        connection.execute("INSERT INTO ledger (one, id, last_version, time) VALUES (1, ?1, 0, 0)", [&id[..]])?;
        connection.pragma_update(None, "application_id", APPLICATION)?;
    }
    if found < 2 {
        connection.execute_batch(FINISHED_TABLES)?;
    }
    if found < VERSION {
        connection.execute_batch(RUN_TABLES)?;
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
