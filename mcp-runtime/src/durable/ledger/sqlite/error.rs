//! What can be wrong with the file, and what to do.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::ErrorCode;

use super::{LedgerError, file::VERSION};

/// Why a [`SqliteLedger`](super::SqliteLedger) cannot be opened or used: names the file, and says what to do.
#[derive(Debug, thiserror::Error)]
#[error("the ledger `{}` {trouble}", path.display())]
pub struct SqliteLedgerError {
    path: PathBuf,
    trouble: Trouble,
}

/// What went wrong in an operation.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// It has as many bytes as it may.
    #[error("is full: it takes new calls again when older ones have expired, or allow it more bytes")]
    Full,
    #[error("cannot be written, its disk is full: free some space there")]
    DiskFull,
    /// It has another id than the key.
    #[error("was emptied or replaced")]
    Replaced,
    #[error("cannot be made: {0}; its directory must be there, and writable for this user")]
    Making(io::Error),
    /// There is no file, but one of those that SQLite keeps beside it.
    #[error("was removed, but not `{}`: stop the servers that use it, and remove that too", .0.display())]
    LeftBehind(PathBuf),
    #[error("cannot be opened ({0}): it must be a file, and it and its directory writable for this user")]
    Opening(rusqlite::Error),
    #[error("cannot be written: make it and its directory writable for this user")]
    ReadOnly,
    #[error("is not a SQLite database: give the ledger a file of its own")]
    NoDatabase,
    #[error("is a database of something else: give the ledger a file of its own")]
    Foreign,
    #[error(
        "has format {0}, and this program knows {VERSION}: it was made by a newer one, so run that, or give this one \
         another file"
    )]
    Newer(i32),
    #[error(
        "is damaged ({0}): stop the servers that use it, and remove it with the files beside it that end in `-wal` and \
         `-shm`; open conversations end then"
    )]
    Damaged(rusqlite::Error),
    #[error("is where processes cannot share it (journal mode `{0}`): put it on a disk of this machine")]
    Unshared(String),
    #[error("was not free within 3 s: its disk is slow, or another program keeps it locked")]
    Busy,
    #[error("needs a thread: {0}")]
    Thread(io::Error),
    #[error("failed: {0}")]
    Other(rusqlite::Error),
}

impl SqliteLedgerError {
    pub(super) fn new(path: &Path, trouble: Trouble) -> Self {
        Self { path: path.to_owned(), trouble }
    }
}

impl Trouble {
    /// As a server sees it.
    pub(super) fn at(self, path: &Path) -> LedgerError {
        match self {
            Self::Full => LedgerError::Full,
            Self::DiskFull => LedgerError::OutOfSpace(SqliteLedgerError::new(path, self).into()),
            Self::Replaced => LedgerError::Replaced,
            trouble => LedgerError::failed(SqliteLedgerError::new(path, trouble)),
        }
    }
}

impl From<rusqlite::Error> for Trouble {
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
