//! Measures the memory in use.

use super::{Group, Tombstones};

impl Tombstones {
    /// Returns the bytes in use, for an allocator that adds 8 bytes and rounds up to 16.
    pub(in super::super) fn allocated(&self) -> usize {
        let block = |size: usize| if size == 0 { 0 } else { (size + 8).next_multiple_of(16) };
        let buckets = (self.groups.capacity() * 8 / 7).next_power_of_two();
        let table = buckets * (size_of::<(u64, Group)>() + 1);
        table + self.by_expiry.allocated() + self.groups.values().map(|group| block(group.marks.size())).sum::<usize>()
    }
}
