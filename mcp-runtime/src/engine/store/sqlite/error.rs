//! The errors of the SQLite file, with advice for the operator.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::ErrorCode;

use crate::engine::{call::lease::LedgerError, runs::RunStoreError};

/// The current format of the file. Format 1 has no table of finished calls, and format 2 has no runs.
pub(super) const VERSION: i32 = 3;
/// How long an operation can wait for earlier operations and for other processes.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

/// The reason why a [`SqliteStore`](crate::store::SqliteStore) cannot be opened or used. The text of the error names the
/// file and says what to do.
#[derive(Debug, thiserror::Error)]
#[error("the store `{}` {problem}", path.display())]
pub struct SqliteStoreError {
    path: PathBuf,
    problem: FileError,
}

/// The reason why an operation on the SQLite file failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    /// The file has reached its limit.
    #[error("is full: wait until older calls expire, or raise its limit")]
    Full,
    #[error("cannot be written, its disk is full: free some space there")]
    DiskFull,
    /// The file has another ledger id than the key of the operation.
    #[error("was emptied or replaced")]
    Replaced,
    #[error("cannot be created: {0}; its directory must exist and be writable for this user")]
    Making(io::Error),
    /// The file was removed, but a file that SQLite keeps beside it (`-wal` or `-shm`) still exists.
    #[error(
        "was removed, but `{}` was not: stop the servers that use the store, and remove that file too",
        .0.display()
    )]
    LeftBehind(PathBuf),
    #[error(
        "cannot be opened ({0}): it must be a file that this user can write, in a directory that this user can write"
    )]
    Opening(rusqlite::Error),
    #[error("cannot be written: make the file and its directory writable for this user")]
    ReadOnly,
    #[error("is not a SQLite database: give the store a file of its own")]
    NoDatabase,
    #[error("is a database of another program: give the store a file of its own")]
    Foreign,
    #[error(
        "has format {0}, but this program supports {VERSION}: run the newer program that created it, or use \
         another file"
    )]
    Newer(i32),
    #[error(
        "is damaged ({0}): stop the servers that use it, then remove it and the files beside it that end in `-wal` and \
         `-shm`; this ends all open calls and removes all runs"
    )]
    Damaged(rusqlite::Error),
    #[error(
        "is on a file system where processes cannot share the file (journal mode `{0}`): put the file on a local disk"
    )]
    Unshared(String),
    #[error("was not free within {} s: its disk is slow, or another program keeps it locked", PATIENCE.as_secs())]
    Busy,
    #[error("cannot start its thread: {0}")]
    Thread(io::Error),
    #[error("failed: {0}")]
    Other(rusqlite::Error),
}

impl SqliteStoreError {
    pub(super) fn new(path: &Path, problem: FileError) -> Self {
        Self { path: path.to_owned(), problem }
    }
}

impl FileError {
    /// Returns whether this is the error of a full disk, or of a file at its size limit.
    pub(super) fn is_full(error: &rusqlite::Error) -> bool {
        error.sqlite_error_code() == Some(ErrorCode::DiskFull)
    }

    /// Converts this error, for the file at `path`, into the error type of all ledgers.
    pub(super) fn at(self, path: &Path) -> LedgerError {
        match self {
            Self::Full => LedgerError::Full,
            Self::DiskFull => LedgerError::OutOfSpace(SqliteStoreError::new(path, self).into()),
            Self::Replaced => LedgerError::Replaced,
            problem => LedgerError::failed(SqliteStoreError::new(path, problem)),
        }
    }
}

/// Converts the error of an operation on runs.
pub(super) fn of_runs(error: LedgerError) -> RunStoreError {
    match error {
        LedgerError::Failed(reason) | LedgerError::OutOfSpace(reason) => RunStoreError::new(reason),
        error => RunStoreError::new(error),
    }
}

impl From<rusqlite::Error> for FileError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::Opening(error),
            Some(ErrorCode::NotADatabase) => Self::NoDatabase,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error),
            _ => Self::Other(error),
        }
    }
}
