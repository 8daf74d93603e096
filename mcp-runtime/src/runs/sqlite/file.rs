//! Opens the file of runs, and creates it if necessary.

use std::{
    io,
    path::Path,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

/// The SQLite `application_id` that marks a file of runs.
const APPLICATION: i32 = i32::from_be_bytes(*b"mcpR");
/// The format of the file.
const VERSION: i32 = 2;
/// How long an operation waits while another process writes.
const BUSY: Duration = Duration::from_secs(5);

/// The pause before the file is opened again.
const PAUSE: Duration = Duration::from_millis(10);

const TABLES: &str = "
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
    ) STRICT;";

/// Changes a file of version 1, whose records have no number of bytes. See `RunRecord::bytes`.
const ADD_BYTES: &str = "
    ALTER TABLE run ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    UPDATE run SET bytes = 1024 + coalesce(octet_length(owner), 0) + octet_length(details);
    DROP INDEX run_by_owner;
    CREATE INDEX run_by_status ON run (tool, status, owner, updated_at, id, bytes);";

/// Why the file cannot be opened or used. In messages, the text of the error comes after the name of the file.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunFileError {
    #[error("cannot be created: {0}; its directory must exist and be writable for this user")]
    Create(io::Error),
    #[error("cannot be opened: it must be a file that this user can write, in a directory that this user can write")]
    Open,
    #[error("cannot be written: make the file and its directory writable for this user")]
    ReadOnly,
    #[error("cannot be written, its disk is full: free some space there")]
    DiskFull,
    #[error("is a file of another program: use a separate file for the runs")]
    Foreign,
    #[error("has format {0}, but this program supports {VERSION}: use the newer program, or another file")]
    Newer(i32),
    #[error(
        "is damaged ({0}): stop the servers that use it, then remove it and the files beside it that end in `-wal` and \
         `-shm`"
    )]
    Damaged(rusqlite::Error),
    #[error(
        "is on a file system where processes cannot share the file (journal mode `{0}`): put the file on a local disk"
    )]
    Unshared(String),
    #[error("was not free within {} s: its disk is slow, or another program keeps it locked", BUSY.as_secs())]
    Busy,
    #[error("failed: {0}")]
    Other(rusqlite::Error),
}

impl From<rusqlite::Error> for RunFileError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::Open,
            Some(ErrorCode::NotADatabase) => Self::Foreign,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error),
            _ => Self::Other(error),
        }
    }
}

pub(super) fn open(path: &Path) -> Result<Connection, RunFileError> {
    create(path)?;
    let until = Instant::now() + BUSY;
    loop {
        match try_open(path) {
            // SQLite does not wait if two processes change the journal mode of a new file.
            Err(RunFileError::Busy) if Instant::now() < until => std::thread::sleep(PAUSE),
            opened => return opened,
        }
    }
}

fn try_open(path: &Path) -> Result<Connection, RunFileError> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    // Checked first, so that the file of another program is not changed. A transaction sees either all tables or none.
    let transaction = connection.transaction()?;
    version(&transaction)?;
    drop(transaction);
    let mode: String = connection.query_one("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(RunFileError::Unshared(mode));
    }
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have created or changed the tables meanwhile.
    let version = version(&transaction)?;
    if version != VERSION {
        transaction.execute_batch(if version == 0 { TABLES } else { ADD_BYTES })?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()?;
    Ok(connection)
}

/// Creates an empty file that only this user can access, unless the file exists. Runs can contain private data.
fn create(path: &Path) -> Result<(), RunFileError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(RunFileError::Create(error)),
        _ => Ok(()),
    }
}

/// Returns the version of the file. An empty file has the version 0.
fn version(connection: &Connection) -> Result<i32, RunFileError> {
    let number = |query| connection.query_one(query, [], |row| row.get::<_, i32>(0));
    let (application, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    match (application, version) {
        (APPLICATION, 1..=VERSION) => Ok(version),
        (APPLICATION, newer) => Err(RunFileError::Newer(newer)),
        (0, 0) if number("SELECT count(*) FROM sqlite_schema")? == 0 => Ok(0),
        _ => Err(RunFileError::Foreign),
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Barrier, thread};

    use super::*;

    #[test]
    fn processes_that_start_together_share_a_new_file() {
        let folder = std::env::temp_dir().join(format!("runs-together-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for round in 0..30 {
            let path = folder.join(format!("{round}.sqlite"));
            let together = Barrier::new(4);
            thread::scope(|scope| {
                let opened: Vec<_> = (0..4)
                    .map(|_| {
                        scope.spawn(|| {
                            together.wait();
                            open(&path).map(drop)
                        })
                    })
                    .collect();
                for opened in opened {
                    opened.join().unwrap().unwrap_or_else(|error| panic!("round {round}: {error}"));
                }
            });
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_of_version_1_gets_the_bytes_of_its_records() {
        let folder = std::env::temp_dir().join(format!("runs-version-1-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("runs.sqlite");
        let old = Connection::open(&path).unwrap();
        let tables = TABLES.replace("        bytes INTEGER NOT NULL,\n", "").replace(", updated_at, id, bytes", "");
        old.execute_batch(&tables.replace("run_by_status", "run_by_owner")).unwrap();
        let run = r#"'id', 'tool', 'sort', 'ann', 'completed', 'instance', 1, 2, 3, '{"outputs":"ä"}'"#;
        old.execute(&format!("INSERT INTO run VALUES ({run})"), []).unwrap();
        old.pragma_update(None, "application_id", APPLICATION).unwrap();
        old.pragma_update(None, "user_version", 1).unwrap();
        drop(old);
        for _ in 0..2 {
            let run = super::super::rows::load(&open(&path).unwrap(), "id").unwrap().unwrap();
            assert_eq!((run.bytes, run.stored_bytes(), &*run.details), (1043, 1043, r#"{"outputs":"ä"}"#));
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
