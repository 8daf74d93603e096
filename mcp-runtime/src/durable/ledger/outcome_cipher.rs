//! What a ledger that others can read is given to keep is sealed.

use std::sync::Arc;

use crate::call::stored::Stored;

/// Seals the outcomes of calls.
#[derive(Clone)]
pub(crate) struct Cover(Arc<dyn SealsOutcomes>);

/// What has the keys for it.
pub(crate) trait SealsOutcomes: Send + Sync {
    /// What the ledger keeps for these bytes of a call.
    fn seal(&self, call: &str, bytes: &[u8]) -> Vec<u8>;

    /// The bytes again. Nothing if they were sealed with a key that is gone.
    fn open(&self, call: &str, bytes: &[u8]) -> Option<Vec<u8>>;
}

impl Cover {
    #[cfg(feature = "seal")]
    pub(crate) fn clone_of(seals: &Arc<impl SealsOutcomes + 'static>) -> Self {
        Self(Arc::clone(seals) as _)
    }

    pub(super) fn seal(&self, call: &str, bytes: &[u8]) -> Vec<u8> {
        self.0.seal(call, bytes)
    }

    /// What was kept, as it was; under a cover, if there is one.
    pub(super) fn open(cover: Option<&Self>, call: &str, kept: Stored) -> Option<Stored> {
        match cover {
            Some(Self(seals)) => seals.open(call, &kept).map(|bytes| Stored::from(&*bytes)),
            None => Some(kept),
        }
    }
}
