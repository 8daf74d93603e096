//! Lets tests inspect a ledger in memory.

use super::MemoryLedger;

impl MemoryLedger {
    pub(in super::super) fn entries(&self) -> usize {
        self.0.store.lock().used().entries
    }

    /// Returns the bytes that count against the limit.
    pub(in super::super) fn bytes(&self) -> usize {
        self.0.store.lock().used().bytes
    }

    pub(in super::super) fn allocated(&self) -> usize {
        self.0.store.lock().allocated()
    }

    /// Evicts the replies of all finished calls.
    pub(in super::super) fn evict_all(&self) {
        while self.0.store.lock().evict() {}
    }
}
