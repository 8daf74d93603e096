//! Opening the file, and making it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::{LedgerId, SeenTime, error::Trouble, finished};
use crate::mutex::Mutex;

/// The format of the file.
pub(super) const VERSION: i32 = 2;
/// A format without finished calls.
const EARLIER: i32 = 1;
/// Bytes of a page.
pub(super) const PAGE: u64 = 4096;
/// Tells a ledger from other databases: `mcpL`.
const APPLICATION: i32 = i32::from_be_bytes(*b"mcpL");
/// Less room is none.
const FEWEST_PAGES: u64 = 256;
/// The file beside it is cut down to that when it was larger.
const LARGEST_LOG: i64 = 4 * 1024 * 1024;
/// Before another try where SQLite does not wait by itself.
const PAUSE: Duration = Duration::from_millis(10);

/// One row of what the ledger is, and its entries. No row of `entry` refers to another.
const TABLES: &str = "
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

/// An open ledger.
pub(super) struct File {
    pub(super) connection: Connection,
    pub(super) identity: Identity,
    pub(super) id: LedgerId,
    /// How many it may have.
    pub(super) pages: u64,
    pub(super) time: Arc<SeenTime>,
}

/// Which file it is, as long as it is open: device and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

/// One at a time in a process: whoever closes a file by which SQLite has locks in this process, ends these locks.
static OPENING: Mutex<()> = Mutex::new(());

impl File {
    pub(super) fn open(path: &Path, bytes: u64, until: Instant, time: &Arc<SeenTime>) -> Result<Self, Trouble> {
        let _alone = OPENING.lock();
        let pages = (bytes / PAGE).clamp(FEWEST_PAGES, u32::MAX.into());
        loop {
            make(path)?;
            let identity = Identity::of(path);
            let mut connection = connect(path)?;
            match set_up(&mut connection, pages) {
                // Others may be setting it up as well, and wait for each other.
                Err(Trouble::Busy) if Instant::now() < until => thread::sleep(PAUSE),
                Err(trouble) => return Err(trouble),
                Ok(id) => match identity {
                    Some(identity) if Identity::of(path) == Some(identity) => {
                        let file = Self { connection, identity, id, pages, time: Arc::clone(time) };
                        file.look_at_time()?;
                        return Ok(file);
                    }
                    // Replaced meanwhile: which one is open?
                    _ if until <= Instant::now() => return Err(Trouble::Busy),
                    _ => {}
                },
            }
        }
    }

    /// Whether the file at the path is this one.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        Identity::of(path) == Some(self.identity)
    }

    /// Makes another ledger of it, unless somebody else already has.
    pub(super) fn renew_id(&mut self) -> Result<(), Trouble> {
        let new = LedgerId::random();
        let (new, old) = (new.to_bytes(), self.id.to_bytes());
        self.connection.execute("UPDATE ledger SET id = ?1 WHERE id = ?2", (&new[..], &old[..]))?;
        self.id()?;
        Ok(())
    }
}

impl Identity {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        fs::metadata(path).ok().map(|metadata| Self(metadata.dev(), metadata.ino()))
    }

    /// Elsewhere, a file that is open stays where it is.
    #[cfg(not(unix))]
    fn of(path: &Path) -> Option<Self> {
        fs::exists(path).unwrap_or_default().then_some(Self(0, 0))
    }
}

/// An empty file for its user alone, unless there is one.
fn make(path: &Path) -> Result<(), Trouble> {
    for beside in ["-wal", "-shm"].map(|end| beside(path, end)) {
        // In this order: another process may be making all of them.
        if fs::exists(&beside).map_err(Trouble::Making)? && !fs::exists(path).map_err(Trouble::Making)? {
            return Err(Trouble::LeftBehind(beside));
        }
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Trouble::Making(error)),
        _ => Ok(()),
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(end);
    beside.into()
}

pub(super) fn connect(path: &Path) -> Result<Connection, Trouble> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(1))?;
    if connection.is_readonly("main")? { Err(Trouble::ReadOnly) } else { Ok(connection) }
}

/// Sets what SQLite keeps per connection, and makes the tables if there are none.
pub(super) fn set_up(connection: &mut Connection, pages: u64) -> Result<LedgerId, Trouble> {
    // Nothing is written to what is something else. Others may be making the tables: one look sees all or nothing.
    let transaction = connection.transaction()?;
    look(&transaction)?;
    drop(transaction);
    let mode: String = connection.query_one("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(Trouble::Unshared(mode));
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Where a plain `fsync` leaves data in the disk's memory.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.query_one(&format!("PRAGMA journal_size_limit = {LARGEST_LOG}"), [], |_| Ok(()))?;
    connection.query_one(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = look(&transaction)?;
    if found == Found::Nothing {
        transaction.execute_batch(TABLES)?;
        let id = LedgerId::random().to_bytes();
        transaction.execute("INSERT INTO ledger (one, id, last_version, time) VALUES (1, ?1, 0, 0)", [&id[..]])?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
    }
    if found != Found::Ledger {
        transaction.execute_batch(finished::TABLES)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    let id = transaction.query_one("SELECT id FROM ledger", [], |row| row.get(0))?;
    transaction.commit()?;
    Ok(LedgerId::from_bytes(id))
}

#[derive(PartialEq)]
enum Found {
    Nothing,
    /// A ledger of the earlier format.
    Earlier,
    Ledger,
}

fn look(connection: &Connection) -> Result<Found, Trouble> {
    let number = |query| connection.query_one(query, [], |row| row.get::<_, i32>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    if application == APPLICATION {
        return match version {
            VERSION => Ok(Found::Ledger),
            EARLIER => Ok(Found::Earlier),
            newer => Err(Trouble::Newer(newer)),
        };
    }
    let is_empty = (application, version) == (0, 0) && number("SELECT count(*) FROM sqlite_schema")? == 0;
    if is_empty { Ok(Found::Nothing) } else { Err(Trouble::Foreign) }
}
