//! Measures the memory in use.

use super::{EntryName, EntryValue, MemoryEntries, StoredValue};
use crate::engine::{
    call::call_id::CallId,
    durable::ledger::record::{Kept, Record},
};

impl MemoryEntries {
    /// Returns the bytes in use, for an allocator that adds 8 bytes and rounds up to 16.
    pub(in super::super) fn allocated(&self) -> usize {
        const COUNTS: usize = 2 * size_of::<usize>();
        let block = |size: usize| (size + 8).next_multiple_of(16);
        let buckets = (self.entries.capacity() * 8 / 7).next_power_of_two();
        let table = buckets * (size_of::<(EntryName, StoredValue)>() + 1);
        let queue = self.finished.capacity() * size_of::<CallId>();
        let each = self.entries.iter().map(|(name, StoredValue { value, .. })| {
            let name = match name {
                EntryName::Call(_) => 0,
                EntryName::Other(name) => block(COUNTS + name.len()),
            };
            let value = match value {
                EntryValue::Bytes(bytes) => block(COUNTS + bytes.len()),
                EntryValue::Record(record) => {
                    let reply = match &record.reply {
                        Some(Kept::Yes(reply)) => block(COUNTS + reply.len()),
                        _ => 0,
                    };
                    let journal = record.journal.as_ref().map_or(0, |journal| block(COUNTS + journal.len()));
                    block(size_of::<Record>()) + reply + journal
                }
            };
            name + value
        });
        table + self.by_expiry.allocated() + queue + self.tombstones.allocated() + each.sum::<usize>()
    }
}
