//! The file that is at the path now.

use std::{path::PathBuf, sync::Arc, time::Instant};

use super::{
    LedgerEntry, LedgerError, LedgerId, LedgerKey, SeenTime, SqliteLedgerError, Swapped,
    error::Trouble,
    file::{File, Identity},
    worker::{PATIENCE, Write},
};

/// The file, wherever it is at the moment.
pub(super) struct Store {
    path: PathBuf,
    bytes: u64,
    /// For the operation at hand.
    until: Instant,
    file: Option<File>,
    /// Whatever file it is: time goes on.
    time: Arc<SeenTime>,
    /// What was last at the path.
    known: Option<(Identity, LedgerId)>,
}

impl Store {
    pub(super) fn open(path: PathBuf, bytes: u64, time: Arc<SeenTime>) -> Result<(Self, LedgerId), SqliteLedgerError> {
        let until = Instant::now() + PATIENCE;
        let mut store = Self { path, bytes, until, file: None, time, known: None };
        match store.file().map(|file| file.id) {
            Ok(id) => Ok((store, id)),
            Err(trouble) => Err(SqliteLedgerError::new(&store.path, trouble)),
        }
    }

    /// What the next operation waits for, it waits for until then. Fails if that is over.
    pub(super) fn wait_until(&mut self, until: Instant) -> Result<(), LedgerError> {
        self.until = until;
        if Instant::now() < until { Ok(()) } else { Err(Trouble::Busy.at(&self.path)) }
    }

    pub(super) fn id(&mut self) -> Result<LedgerId, LedgerError> {
        self.attempt(File::id)
    }

    pub(super) fn load(&mut self, key: LedgerKey<'_>) -> Result<Option<LedgerEntry>, LedgerError> {
        self.attempt(|file| file.load(key))
    }

    /// Writes all of them, in one transaction if there are several; gives a result for each.
    pub(super) fn write(&mut self, writes: &[Write]) -> Vec<Result<Swapped, LedgerError>> {
        if let Some(results) = self.write_together(writes) {
            return results;
        }
        let alone = |write: &Write| {
            self.wait_until(write.until)?;
            self.attempt(|file| file.write(write))
        };
        writes.iter().map(alone).collect()
    }

    /// Nothing is written where one of them has a trouble that may be with the file: then each is written by itself.
    fn write_together(&mut self, writes: &[Write]) -> Option<Vec<Result<Swapped, LedgerError>>> {
        let [_, _, ..] = writes else { return None };
        self.wait_until(writes.iter().map(|write| write.until).min()?).ok()?;
        let results = self.attempt(|file| file.write_together(writes)).ok()?;
        Some(results.into_iter().map(|result| result.map_err(|trouble| trouble.at(&self.path))).collect())
    }

    fn attempt<T>(&mut self, operation: impl FnOnce(&mut File) -> Result<T, Trouble>) -> Result<T, LedgerError> {
        let result = self.file().and_then(operation);
        if !matches!(result, Ok(_) | Err(Trouble::Full | Trouble::DiskFull | Trouble::Replaced | Trouble::Busy)) {
            // Opened again for the next one: what is wrong with the connection ends with it.
            self.file = None;
        }
        result.map_err(|trouble| trouble.at(&self.path))
    }

    /// The file at the path, which may be another one than a moment ago.
    fn file(&mut self) -> Result<&mut File, Trouble> {
        let file = match self.file.take().filter(|file| file.is_at(&self.path)) {
            Some(file) => file,
            None => {
                let mut file = File::open(&self.path, self.bytes, self.until, &self.time)?;
                if self.known.is_some_and(|(identity, id)| identity != file.identity && id == file.id) {
                    // A copy, of whatever age.
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
impl Store {
    pub(super) fn allow_no_more_pages(&mut self) -> Result<(), LedgerError> {
        self.attempt(|file| Ok(file.connection.query_one("PRAGMA max_page_count = 1", [], |_| Ok(()))?))
    }
}
