//! Measures the memory in use.

use std::sync::Arc;

use super::{MemoryEntries, StoredValue};

impl MemoryEntries {
    /// Returns the bytes in use, for an allocator that adds 8 bytes and rounds up to 16.
    pub(in super::super) fn allocated(&self) -> usize {
        const COUNTS: usize = 2 * size_of::<usize>();
        let block = |size: usize| (size + 8).next_multiple_of(16);
        let buckets = (self.entries.capacity() * 8 / 7).next_power_of_two();
        let table = buckets * (size_of::<(Arc<str>, StoredValue)>() + 1);
        let queue = self.finished.capacity() * size_of::<Arc<str>>();
        let each = self
            .entries
            .iter()
            .map(|(name, StoredValue { value, .. })| block(COUNTS + name.len()) + block(COUNTS + value.len()));
        table + self.by_expiry.allocated() + queue + self.tombstones.allocated() + each.sum::<usize>()
    }
}
