//! The encryption of what a ledger keeps.

use std::borrow::Cow;

use super::claims::Claims;
use crate::engine::call::{call_id::CallId, entry_slice::EntrySlice};

/// Seals the outcomes of calls with the server's keys, for ledgers that other processes can read.
pub(crate) trait OutcomeCipher: Send + Sync {
    /// Encrypts bytes that are stored under this name.
    fn seal(&self, name: &str, bytes: &[u8]) -> Vec<u8>;

    /// Decrypts bytes that are stored under this name. Returns `None` if the key that sealed them was removed from the
    /// key ring.
    fn open(&self, name: &str, bytes: &[u8]) -> Option<Vec<u8>>;
}

impl Claims {
    /// Encrypts bytes that are stored under this name. If the server has no cipher, returns the bytes unchanged.
    pub(crate) fn sealed<'a>(&self, name: &str, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        self.cipher.as_ref().map_or(bytes.into(), |cipher| cipher.seal(name, bytes).into())
    }

    /// Encrypts bytes for the record of a call.
    pub(super) fn sealed_for(&self, call: CallId, bytes: &[u8]) -> EntrySlice {
        self.sealed_as(|| call.name(), bytes)
    }

    /// Encrypts a journal for the record of its call. The stored journal is not valid as a reply or as a step's output.
    pub(super) fn sealed_journal(&self, call: CallId, journal: &[u8]) -> EntrySlice {
        self.sealed_as(|| journal_name(call), journal)
    }

    /// Decrypts bytes that are stored under this name. Returns `None` if the key that sealed them was removed from the
    /// key ring.
    pub(crate) fn opened(&self, name: &str, stored: EntrySlice) -> Option<EntrySlice> {
        self.opened_as(|| name.to_owned(), stored)
    }

    /// Decrypts bytes from the record of a call. See [`opened`](Self::opened).
    pub(super) fn opened_for(&self, call: CallId, stored: EntrySlice) -> Option<EntrySlice> {
        self.opened_as(|| call.name(), stored)
    }

    /// Decrypts the journal from the record of a call. See [`opened`](Self::opened).
    pub(super) fn opened_journal(&self, call: CallId, stored: EntrySlice) -> Option<EntrySlice> {
        self.opened_as(|| journal_name(call), stored)
    }

    /// Encrypts bytes. The name is created only if there is a cipher.
    fn sealed_as(&self, name: impl FnOnce() -> String, bytes: &[u8]) -> EntrySlice {
        match &self.cipher {
            Some(cipher) => EntrySlice::from(&*cipher.seal(&name(), bytes)),
            None => EntrySlice::from(bytes),
        }
    }

    fn opened_as(&self, name: impl FnOnce() -> String, stored: EntrySlice) -> Option<EntrySlice> {
        match &self.cipher {
            Some(cipher) => cipher.open(&name(), &stored).map(|bytes| EntrySlice::from(&*bytes)),
            None => Some(stored),
        }
    }
}

/// Returns the name under which the journal in a call's record is sealed.
fn journal_name(call: CallId) -> String {
    format!("journal:{}", call.name())
}
