//! The ledger of one machine.
//!
//! A thread owns the connection (`worker.rs`). It does one operation after the other, and writes of calls that wait for
//! the disk in one transaction (`entries.rs`), on the file that is at the path at that time (`store.rs`). `finished.rs`
//! remembers finished calls. `file.rs` opens the file, or makes it.

mod entries;
mod error;
mod file;
mod finished;
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

pub use self::error::SqliteLedgerError;
use self::{
    error::Trouble,
    store::Store,
    worker::{Worker, Write},
};
use super::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped, seen::SeenTime};
use crate::{
    call::{lease::LedgerError, ledger_time::LedgerTime},
    mutex::Mutex,
};

/// How large the file may become unless told otherwise.
const BYTES: u64 = 1024 * 1024 * 1024;

/// A [`Ledger`] in a SQLite file: calls go on after a restart, and all processes of a machine that share the file know
/// the same calls.
///
/// ```no_run
/// use mcp_runtime::{SqliteLedger, prelude::*};
///
/// # fn server() -> Result<Server, mcp_runtime::SqliteLedgerError> {
/// let ledger = SqliteLedger::open("/var/lib/travel/ledger.db")?;
/// let server = Server::new("travel", "1.0.0").ledger(ledger);
/// # Ok(server)
/// # }
/// ```
///
/// A client's open conversation goes on after a restart only if the server can read the state that the client brings:
/// set `MCP_STATE_KEY` too, see [`KeyRing`](crate::KeyRing).
///
/// # What it promises
///
/// An operation is done when the file system has it on its medium (`synchronous=FULL`): it outlives a crash of the
/// process, and of the machine as far as its disks keep their word.
///
/// The file has a random id of its own. If it is removed or another one put in its place, even under running processes,
/// the calls it knew end with [`LedgerError::Replaced`], and none runs a second time. Two things nobody can notice: a
/// copy that is put back while no process runs, and entries that are deleted with other programs. Both may let a call
/// run again. So never put an older copy back: remove the file instead, and with it those beside it that end in `-wal`
/// and `-shm`.
///
/// It is not for network file systems, whose locks cannot be relied on. Instances on several machines need a ledger on
/// the network.
///
/// Entries and states expire by the time of the file. The file records the time of its last write; from there time goes
/// on by the monotonic clock, or by the wall clock of the machine where that is later. A wall clock that is set back, or
/// that differs between processes, changes nothing. One that jumps ahead makes open calls expire early. Each write
/// removes a few entries that have expired. Values are stored as they are: what the runtime records of replies and steps
/// is sealed. On Unix the file is made for its user alone.
///
/// New calls are refused when half of 1 GiB is taken ([`LedgerError::Full`]): the other half is for the calls under
/// way. [`with_limit`](Self::with_limit) sets the size. The file does not shrink; its room is used again.
///
/// Finished calls do not fill it. Of each one bit stays until it expires, so that it does not run again. Its reply is kept
/// as long as less than a quarter of the size is taken: then the oldest replies are evicted, and a request that repeats
/// such a call is told that its reply is no longer kept. A call that its client gave an idempotency key takes some 60
/// bytes instead of that bit.
///
/// # What it costs
///
/// A load takes some 20 µs, a swap somewhat longer than the disk takes for a small write with `fdatasync`. Measured
/// where that is 0.55 ms: 2.3 ms for a round of a call, which is a load and three swaps. One thread does all of them, and
/// no thread of yours waits. The swaps of calls that wait at the same time share one write of the disk, so that the ledger
/// takes more calls a second the more of them there are at once. An operation whose turn does not come within 3 s fails.
/// SQLite is compiled in.
///
/// # With another crate that uses SQLite
///
/// A program can have one version of `libsqlite3-sys`. If Cargo says that "only one package in the dependency graph may
/// specify the same links value", another dependency needs another version: `cargo tree -i libsqlite3-sys` shows which.
/// This ledger takes `rusqlite` 0.38 to 0.42, so Cargo most often finds a version for both; for the others, choose a
/// version of `sqlx`, `diesel` or `rusqlite` that uses one of `libsqlite3-sys` 0.36 to 0.40.
///
/// A clone is the same ledger, with the same thread.
#[derive(Clone)]
pub struct SqliteLedger(Arc<Shared>);

struct Shared {
    path: PathBuf,
    worker: Worker,
    time: Arc<SeenTime>,
    /// As it was last seen.
    id: Mutex<Option<LedgerId>>,
}

impl SqliteLedger {
    /// The ledger in this file; makes the file if there is none, but no directory. Reads and writes it before it
    /// returns: open it before the server starts.
    ///
    /// # Errors
    ///
    /// If it cannot be read and written, is no ledger, or is of a newer version. The words say what to do.
    ///
    /// ```
    /// use mcp_runtime::SqliteLedger;
    ///
    /// let error = SqliteLedger::open("/no/such/directory/ledger.db").unwrap_err();
    /// assert!(error.to_string().starts_with("the ledger `/no/such/directory/ledger.db` cannot be made: "));
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SqliteLedgerError> {
        Self::with_limit(path, BYTES)
    }

    /// As [`open`](Self::open), for a file of so many bytes at most, and not less than 1 MiB. The log beside it is not
    /// counted: 4 MiB, most often.
    pub fn with_limit(path: impl AsRef<Path>, bytes: u64) -> Result<Self, SqliteLedgerError> {
        let given = path.as_ref();
        let path = absolute(given).map_err(|error| SqliteLedgerError::new(given, Trouble::Making(error)))?;
        let time = Arc::new(SeenTime::new(LedgerTime::of_wall_clock()));
        let (store, id) = Store::open(path.clone(), bytes, Arc::clone(&time))?;
        let worker = Worker::start(store).map_err(|error| SqliteLedgerError::new(&path, Trouble::Thread(error)))?;
        Ok(Self(Arc::new(Shared { path, worker, time, id: Mutex::new(Some(id)) })))
    }

    fn remembered(&self) -> Option<LedgerId> {
        *self.0.id.lock()
    }

    fn remember(&self, id: Option<LedgerId>) {
        *self.0.id.lock() = id;
    }

    async fn run<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&mut Store) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        self.noted(self.0.worker.run(operation).await)
    }

    async fn write(&self, write: Write) -> Result<Swapped, LedgerError> {
        self.noted(self.0.worker.write(write).await)
    }

    fn noted<T>(&self, result: Result<T, LedgerError>) -> Result<T, LedgerError> {
        if matches!(result, Err(LedgerError::Replaced)) {
            self.remember(None);
        }
        result
    }
}

impl Ledger for SqliteLedger {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async move {
            if let Some(id) = self.remembered() {
                return Ok(id);
            }
            let id = self.run(Store::id).await?;
            self.remember(Some(id));
            Ok(id)
        })
    }

    fn now(&self) -> LedgerTime {
        self.0.time.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        let (ledger, name) = (key.ledger(), key.name().to_owned());
        Box::pin(self.run(move |store| store.load(LedgerKey::new(ledger, &name))))
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.write(Write::new(key, seen, value, keep, before)))
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.write(Write::new(key, seen, value, keep, None).last()))
    }
}

impl fmt::Debug for SqliteLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteLedger").field("path", &self.0.path).finish_non_exhaustive()
    }
}
