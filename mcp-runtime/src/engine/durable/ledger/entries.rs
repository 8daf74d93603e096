//! Entries of a shared ledger that are not records of calls. They are sealed like the outcomes of calls.

use std::{sync::Arc, time::Duration};

use super::{Claims, LedgerKey, LedgerVersion, Swapped};
use crate::engine::call::{entry_slice::EntrySlice, lease::LedgerError};

/// Entries of a ledger that outlives the process. No entry may have the name of a call's record.
#[derive(Clone)]
pub(crate) struct LedgerEntries(Arc<Claims>);

/// An entry, and the version that a writer must name to replace the entry.
pub(crate) struct OpenedEntry {
    pub(crate) value: Vec<u8>,
    pub(crate) version: LedgerVersion,
}

impl LedgerEntries {
    /// Gives access to the entries of a ledger. Returns `None` if the ledger ends with the process.
    pub(crate) fn of(claims: &Arc<Claims>) -> Option<Self> {
        claims.ledger.is_shared().then(|| Self(Arc::clone(claims)))
    }

    /// Returns the entry, or `None` if there is none, if it has expired, or if the key that sealed it was removed from
    /// the key ring.
    pub(crate) async fn load(&self, name: &str) -> Result<Option<OpenedEntry>, LedgerError> {
        let key = LedgerKey::new(self.0.ledger_id().await?, name);
        let Some(entry) = self.0.load(key).await? else { return Ok(None) };
        let value = self.0.opened(name, EntrySlice::from(&*entry.value));
        Ok(value.map(|value| OpenedEntry { value: value.to_vec(), version: entry.version }))
    }

    /// Writes the entry if its version is still `seen`, and returns the new version. Returns `None` if another writer
    /// was first. The ledger keeps the entry at least for `keep`.
    pub(crate) async fn write(
        &self,
        name: &str,
        seen: Option<LedgerVersion>,
        value: &[u8],
        keep: Duration,
    ) -> Result<Option<LedgerVersion>, LedgerError> {
        let key = LedgerKey::new(self.0.ledger_id().await?, name);
        match self.0.swap(key, seen, self.0.sealed(name, value).into(), keep, None).await? {
            Swapped::Done(version) => Ok(Some(version)),
            Swapped::Conflict(_) | Swapped::TooLate => Ok(None),
        }
    }
}
