//! The SQLite file at a path. If another file replaces it, the store opens the new file.

use std::{path::PathBuf, sync::Arc, time::Instant};

use super::{
    entries::{QueuedSwap, SPARE_PAGES, taken},
    error::{FileError, PATIENCE, SqliteStoreError},
    file::{File, FileId},
};
use crate::engine::{
    call::lease::LedgerError,
    durable::ledger::{LedgerEntry, LedgerId, LedgerKey, Swapped},
    store::time::SeenTime,
};

pub(super) struct StoreFile {
    path: PathBuf,
    bytes: u64,
    /// The deadline of the current operation.
    until: Instant,
    file: Option<File>,
    /// The latest time read from any file at `path`, so that the ledger's time never runs backwards.
    time: Arc<SeenTime>,
    /// The last file opened at `path`, and the ledger id in that file.
    known: Option<(FileId, LedgerId)>,
}

impl StoreFile {
    pub(super) fn open(path: PathBuf, bytes: u64, time: Arc<SeenTime>) -> Result<Self, SqliteStoreError> {
        let until = Instant::now() + PATIENCE;
        let mut store = Self { path, bytes, until, file: None, time, known: None };
        match store.file() {
            Ok(_) => Ok(store),
            Err(problem) => Err(SqliteStoreError::new(&store.path, problem)),
        }
    }

    /// Sets the deadline of the next operation. Fails if the deadline has passed.
    pub(super) fn wait_until(&mut self, until: Instant) -> Result<(), LedgerError> {
        self.until = until;
        if Instant::now() < until { Ok(()) } else { Err(FileError::Busy.at(&self.path)) }
    }

    pub(super) fn id(&mut self) -> Result<LedgerId, LedgerError> {
        self.attempt(File::id)
    }

    pub(super) fn load(&mut self, key: LedgerKey<'_>) -> Result<Option<LedgerEntry>, LedgerError> {
        self.attempt(|file| file.load(key))
    }

    /// Runs all `writes`, in one transaction if possible. Returns a result for each write.
    pub(super) fn write(&mut self, writes: &[QueuedSwap]) -> Vec<Result<Swapped, LedgerError>> {
        if let Some(results) = self.write_together(writes) {
            return results;
        }
        let alone = |write: &QueuedSwap| {
            self.wait_until(write.until)?;
            self.attempt(|file| file.write(write))
        };
        writes.iter().map(alone).collect()
    }

    /// Runs all `writes` in one transaction. If the transaction fails, nothing is written and `None` is returned.
    fn write_together(&mut self, writes: &[QueuedSwap]) -> Option<Vec<Result<Swapped, LedgerError>>> {
        let [_, _, ..] = writes else { return None };
        self.wait_until(writes.iter().map(|write| write.until).min()?).ok()?;
        let results = self.attempt(|file| file.write_together(writes)).ok()?;
        Some(results.into_iter().map(|result| result.map_err(|problem| problem.at(&self.path))).collect())
    }

    /// Runs an operation on the runs. It does not wait for the disk, as those of the ledger do: a run is written often,
    /// and loses at most its last changes if the machine loses power.
    pub(super) fn with_connection<T>(
        &mut self,
        operation: impl FnOnce(&mut rusqlite::Connection) -> rusqlite::Result<T>,
    ) -> Result<T, LedgerError> {
        self.attempt(|file| {
            file.connection.pragma_update(None, "synchronous", "NORMAL")?;
            let result = operation(&mut file.connection);
            file.connection.pragma_update(None, "synchronous", "FULL")?;
            match result {
                // SQLite has one error code for a full disk and for a file at its size limit.
                Err(error)
                    if FileError::is_full(&error) && 2 * file.pages <= taken(&file.connection)? + SPARE_PAGES =>
                {
                    Err(FileError::Full)
                }
                result => Ok(result?),
            }
        })
    }

    fn attempt<T>(&mut self, operation: impl FnOnce(&mut File) -> Result<T, FileError>) -> Result<T, LedgerError> {
        let result = self.file().and_then(operation);
        if !matches!(result, Ok(_) | Err(FileError::Full | FileError::DiskFull | FileError::Replaced | FileError::Busy))
        {
            // The next operation reopens the file, to recover from a broken connection.
            self.file = None;
        }
        result.map_err(|problem| problem.at(&self.path))
    }

    /// Returns the file at `path`. Opens the file first if it is not open or was replaced.
    fn file(&mut self) -> Result<&mut File, FileError> {
        let file = match self.file.take().filter(|file| file.is_at(&self.path)) {
            Some(file) => file,
            None => {
                let mut file = File::open(&self.path, self.bytes, self.until, &self.time)?;
                if self.known.is_some_and(|(identity, id)| identity != file.identity && id == file.id) {
                    // Another file with the same id is a copy, which can lack entries.
                    file.renew_id()?;
                }
                file
            }
        };
        file.connection.busy_timeout(self.until.saturating_duration_since(Instant::now()))?;
        self.known = Some((file.identity, file.id));
        Ok(self.file.insert(file))
    }
}

#[cfg(test)]
impl StoreFile {
    pub(super) fn allow_no_more_pages(&mut self) -> Result<(), LedgerError> {
        self.attempt(|file| Ok(file.connection.query_one("PRAGMA max_page_count = 1", [], |_| Ok(()))?))
    }
}
