//! Seals the outcomes of calls for ledgers that other processes can read.

use std::sync::Arc;

use crate::engine::call::stored::Stored;

/// Seals the outcomes of calls.
#[derive(Clone)]
pub(crate) struct OutcomeCipher(Arc<dyn SealsOutcomes>);

/// Seals and opens outcomes with the server's keys.
pub(crate) trait SealsOutcomes: Send + Sync {
    /// Encrypts bytes that are stored in the record of this call.
    fn seal(&self, call: &str, bytes: &[u8]) -> Vec<u8>;

    /// Decrypts bytes from the record of this call. Returns `None` if the key that sealed them was removed from the key
    /// ring.
    fn open(&self, call: &str, bytes: &[u8]) -> Option<Vec<u8>>;
}

impl OutcomeCipher {
    pub(crate) fn clone_of(seals: &Arc<impl SealsOutcomes + 'static>) -> Self {
        Self(Arc::clone(seals) as _)
    }

    pub(crate) fn seal(&self, call: &str, bytes: &[u8]) -> Vec<u8> {
        self.0.seal(call, bytes)
    }

    /// Decrypts stored bytes. Without a cipher, returns the bytes unchanged.
    pub(crate) fn open(cipher: Option<&Self>, call: &str, kept: Stored) -> Option<Stored> {
        match cipher {
            Some(Self(seals)) => seals.open(call, &kept).map(|bytes| Stored::from(&*bytes)),
            None => Some(kept),
        }
    }
}
