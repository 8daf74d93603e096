//! A store in a SQLite file, for one machine.
//!
//! A thread owns the connection (`worker.rs`). It runs one operation after another (`entries.rs`, `runs.rs`), combines
//! waiting writes of the ledger into one transaction, and reopens the file if the file was replaced (`store.rs`).
//! `finished.rs` stores finished calls. `file.rs` opens and creates the file, and `schema.rs` has its tables.

mod entries;
mod error;
mod file;
mod finished;
mod runs;
mod schema;
mod store;
#[cfg(test)]
mod tests;
mod worker;

use std::{
    fmt,
    path::{Path, PathBuf, absolute},
    sync::Arc,
    time::Duration,
};

pub use self::error::SqliteStoreError;
use self::{entries::QueuedSwap, error::FileError, store::StoreFile, worker::Worker};
use super::{
    listener::RunListener,
    parts::{Store, StoreParts},
    sql::BYTES,
    time::SeenTime,
};
use crate::engine::{
    call::ledger_time::LedgerTime,
    durable::ledger::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped},
};

/// A store in a SQLite file: the [`Ledger`] of calls, and the [runs](crate::runs). Calls and runs survive a restart, and
/// all processes of a machine that share the file can resume each other's calls.
///
/// ```no_run
/// use mcp_runtime::{prelude::*, store::SqliteStore};
///
/// # fn server() -> Result<Server, mcp_runtime::store::SqliteStoreError> {
/// let store = SqliteStore::open("/var/lib/travel/travel.db")?;
/// let server = Server::new("travel", "1.0.0").store(store);
/// # Ok(server)
/// # }
/// ```
///
/// After a restart, a server can only resume a call if it can read the state that the client sends. So set
/// `MCP_STATE_KEY` too (see [`KeyRing`](crate::store::KeyRing)).
///
/// # Guarantees
///
/// An operation completes when the file system has written the data to disk (`synchronous=FULL`). The data survive a
/// crash of the process. They also survive a crash of the machine, if the disks keep what they acknowledge. Only the last
/// changes of runs can be lost if the machine loses power (`synchronous=NORMAL`).
///
/// The file has a random id. If the file is removed or replaced, even while processes use it, open calls end with
/// [`LedgerError::Replaced`], and no call runs a second time. Two changes cannot be detected: an older copy restored
/// while no process runs, and entries deleted by other programs. Both can let a call run again. So never restore an
/// older copy: remove the file instead, together with the files beside it that end in `-wal` and `-shm`.
///
/// Answers, cancellations and ends of runs reach the other processes within a quarter of a second, because each process
/// that shows runs reads the file four times a second.
///
/// Do not put the file on a network file system, because locks are unreliable there. Instances on several machines need
/// a store on the network.
///
/// Entries and states expire by the time of the file. The file stores the time of its last write. From that time, the
/// ledger's time advances with the monotonic clock, or with the machine's wall clock if the wall clock is later. A wall
/// clock that is set back, or that differs between processes, has no effect. If a wall clock jumps ahead, open calls
/// expire early. Each write removes a few expired entries. Values are stored unchanged, because the runtime has already
/// sealed replies and steps; runs are not sealed. On Unix only the user who owns the file can access it.
///
/// New calls are rejected when the ledger uses half of 1 GiB ([`LedgerError::Full`]). The other half is for open calls.
/// [`with_limit`](Self::with_limit) sets the size. The runs have [limits of their own](crate::runs#limits). The file does
/// not shrink, but its free room is reused.
///
/// Finished calls do not fill the file. A finished call leaves one bit until it expires, so that it does not run again.
/// When the ledger uses more than a quarter of the size, the oldest replies are evicted. If a client repeats a call whose reply
/// was evicted, the client gets an error saying that the reply is no longer stored. A call with an idempotency key
/// takes about 60 bytes instead of that bit.
///
/// # Cost
///
/// A load takes about 20 µs; a swap takes slightly longer than a small write with `fdatasync`. On a disk where
/// such a write takes 0.55 ms, a round of a call (one load and three swaps) took 2.3 ms. One thread runs all
/// operations, so that your threads never block. Concurrent swaps share one write to the disk, so throughput grows with
/// concurrency. An operation that cannot start within 3 s fails. SQLite is compiled in.
///
/// # Conflicts with other crates that use SQLite
///
/// A program can contain only one version of `libsqlite3-sys`. If Cargo says that "only one package in the dependency
/// graph may specify the same links value", another dependency needs another version: `cargo tree -i libsqlite3-sys`
/// shows which. This store works with `rusqlite` 0.38 to 0.42, so Cargo usually finds a version for both. Otherwise
/// choose a version of `sqlx`, `diesel` or `rusqlite` that uses `libsqlite3-sys` 0.36 to 0.40.
///
/// Clones share the same file and thread.
///
/// [`LedgerError::Full`]: crate::store::LedgerError::Full
/// [`LedgerError::Replaced`]: crate::store::LedgerError::Replaced
#[derive(Clone)]
pub struct SqliteStore(Arc<SharedWorker>);

struct SharedWorker {
    path: PathBuf,
    worker: Worker,
    time: Arc<SeenTime>,
    listener: RunListener,
}

impl SqliteStore {
    /// Opens the store in this file. Creates the file if it does not exist, but not its directory. Blocks the thread
    /// while it accesses the file, so call this function before the server starts.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read and written, is not a store, or has a newer format. The text of the error says
    /// what to do.
    ///
    /// ```
    /// use mcp_runtime::store::SqliteStore;
    ///
    /// let error = SqliteStore::open("/no/such/directory/app.db").unwrap_err();
    /// assert!(error.to_string().starts_with("the store `/no/such/directory/app.db` cannot be created: "));
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SqliteStoreError> {
        Self::with_limit(path, BYTES)
    }

    /// Opens a store like [`open`](Self::open), and limits its ledger to `bytes` bytes. The smallest limit is 1 MiB. The
    /// limit does not include the runs, which can take as many bytes again, and the log beside the file, which usually
    /// takes 4 MiB.
    pub fn with_limit(path: impl AsRef<Path>, bytes: u64) -> Result<Self, SqliteStoreError> {
        let given = path.as_ref();
        let path = absolute(given).map_err(|error| SqliteStoreError::new(given, FileError::Making(error)))?;
        let time = Arc::new(SeenTime::new(LedgerTime::of_wall_clock()));
        let store = StoreFile::open(path.clone(), bytes, Arc::clone(&time))?;
        let worker = Worker::start(store).map_err(|error| SqliteStoreError::new(&path, FileError::Thread(error)))?;
        Ok(Self(Arc::new(SharedWorker { path, worker, time, listener: RunListener::default() })))
    }
}

impl Ledger for SqliteStore {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(self.0.worker.run(StoreFile::id))
    }

    fn now(&self) -> LedgerTime {
        self.0.time.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        let (ledger, name) = (key.ledger(), key.name().to_owned());
        Box::pin(self.0.worker.run(move |store| store.load(LedgerKey::new(ledger, &name))))
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.0.worker.write(QueuedSwap::new(key, seen, value, keep, before)))
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.0.worker.write(QueuedSwap::new(key, seen, value, keep, None).last()))
    }
}

impl Store for SqliteStore {
    fn into_parts(self) -> StoreParts {
        StoreParts::new(self.clone(), self)
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("path", &self.0.path).finish_non_exhaustive()
    }
}
