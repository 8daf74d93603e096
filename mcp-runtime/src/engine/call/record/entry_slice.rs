//! A shared slice of a ledger entry.

use std::{ops::Deref, sync::Arc};

/// A slice of a ledger entry. The slice shares the entry's memory.
#[derive(Clone, Debug)]
pub(crate) struct EntrySlice {
    entry: Arc<[u8]>,
    start: usize,
    end: usize,
}

impl EntrySlice {
    /// Creates a slice of an entry. Returns `None` if the entry is too short.
    pub(crate) fn new(entry: &Arc<[u8]>, start: usize, length: usize) -> Option<Self> {
        let end = start.checked_add(length)?;
        (end <= entry.len()).then(|| Self { entry: Arc::clone(entry), start, end })
    }
}

impl Deref for EntrySlice {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.entry[self.start..self.end]
    }
}

impl From<&[u8]> for EntrySlice {
    fn from(bytes: &[u8]) -> Self {
        Self { entry: bytes.into(), start: 0, end: bytes.len() }
    }
}

impl PartialEq for EntrySlice {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for EntrySlice {}
