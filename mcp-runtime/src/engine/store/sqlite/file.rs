//! Opens the SQLite file, and creates it if necessary.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::{error::FileError, schema};
use crate::{
    base::mutex::Mutex,
    engine::{durable::ledger::LedgerId, store::time::SeenTime},
};

/// The page size in bytes.
pub(super) const PAGE: u64 = 4096;
/// The smallest size limit that a file can have, in pages.
const FEWEST_PAGES: u64 = 256;
/// The size to which SQLite truncates its write-ahead log, in bytes.
const LARGEST_LOG: i64 = 4 * 1024 * 1024;
/// The pause before a retry, if SQLite reports a locked file without waiting for it.
const PAUSE: Duration = Duration::from_millis(10);

/// An open SQLite file.
pub(super) struct File {
    pub(super) connection: Connection,
    pub(super) identity: FileId,
    pub(super) id: LedgerId,
    /// The maximum size of the ledger in the file, in pages. The runs can take as many again.
    pub(super) pages: u64,
    pub(super) time: Arc<SeenTime>,
}

/// Identifies an open file by its device and inode number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId(u64, u64);

/// Lets the process open one file at a time, because closing a file drops all POSIX locks that the process has on it.
static OPENING: Mutex<()> = Mutex::new(());

impl File {
    pub(super) fn open(path: &Path, bytes: u64, until: Instant, time: &Arc<SeenTime>) -> Result<Self, FileError> {
        let _alone = OPENING.lock();
        let pages = (bytes / PAGE).clamp(FEWEST_PAGES, u32::MAX.into());
        loop {
            make(path)?;
            let identity = FileId::of(path);
            let mut connection = connect(path)?;
            match set_up(&mut connection, pages) {
                // Another process may be setting up the same file.
                Err(FileError::Busy) if Instant::now() < until => thread::sleep(PAUSE),
                Err(problem) => return Err(problem),
                Ok(id) => match identity {
                    Some(identity) if FileId::of(path) == Some(identity) => {
                        let file = Self { connection, identity, id, pages, time: Arc::clone(time) };
                        file.look_at_time()?;
                        return Ok(file);
                    }
                    // The file was replaced while it was being opened, so it is unclear which of the two files is open.
                    _ if until <= Instant::now() => return Err(FileError::Busy),
                    _ => {}
                },
            }
        }
    }

    /// Returns whether this open file is still the one at `path`.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        FileId::of(path) == Some(self.identity)
    }

    /// Gives the file a new id, unless another process has already done so.
    pub(super) fn renew_id(&mut self) -> Result<(), FileError> {
        let new = LedgerId::random();
        let (new, old) = (new.to_bytes(), self.id.to_bytes());
        self.connection.execute("UPDATE ledger SET id = ?1 WHERE id = ?2", (&new[..], &old[..]))?;
        self.id()?;
        Ok(())
    }
}

impl FileId {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        fs::metadata(path).ok().map(|metadata| Self(metadata.dev(), metadata.ino()))
    }

    /// On systems other than Unix an open file cannot be replaced, so all files have the same id.
    #[cfg(not(unix))]
    fn of(path: &Path) -> Option<Self> {
        fs::exists(path).unwrap_or_default().then_some(Self(0, 0))
    }
}

/// Creates an empty file that only this user can access, unless the file exists.
fn make(path: &Path) -> Result<(), FileError> {
    for beside in ["-wal", "-shm"].map(|end| beside(path, end)) {
        // `path` is checked last, because another process may be creating all of these files.
        if fs::exists(&beside).map_err(FileError::Making)? && !fs::exists(path).map_err(FileError::Making)? {
            return Err(FileError::LeftBehind(beside));
        }
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(FileError::Making(error)),
        _ => Ok(()),
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(end);
    beside.into()
}

pub(super) fn connect(path: &Path) -> Result<Connection, FileError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(1))?;
    if connection.is_readonly("main")? { Err(FileError::ReadOnly) } else { Ok(connection) }
}

/// Configures the connection, and creates the tables if there are none.
pub(super) fn set_up(connection: &mut Connection, pages: u64) -> Result<LedgerId, FileError> {
    // Check first, so that a foreign database is not changed. A transaction sees either all tables or none.
    let transaction = connection.transaction()?;
    schema::look(&transaction)?;
    drop(transaction);
    let mode: String = connection.query_one("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(FileError::Unshared(mode));
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    // For systems where `fsync` alone leaves data in the disk's cache.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.query_one(&format!("PRAGMA journal_size_limit = {LARGEST_LOG}"), [], |_| Ok(()))?;
    connection.query_one(
        &format!("PRAGMA max_page_count = {}", pages.saturating_mul(2).min(u32::MAX.into())),
        [],
        |_| Ok(()),
    )?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = schema::look(&transaction)?;
    schema::create(&transaction, found)?;
    let id = transaction.query_one("SELECT id FROM ledger", [], |row| row.get(0))?;
    transaction.commit()?;
    Ok(LedgerId::from_bytes(id))
}
