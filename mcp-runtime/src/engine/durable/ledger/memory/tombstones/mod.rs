//! The finished calls whose replies a ledger in memory has evicted.

use std::collections::hash_map;

use tokio::time::Instant;

use super::super::{
    expiry::{ExpiryQueue, smaller_capacity},
    tombstone::{Tombstone, TombstoneGroup},
};

/// The bytes that a group takes in `groups` and `by_expiry`, rounded up. The marks of the group are not included.
const GROUP: usize = 176;

/// Groups of finished calls. A group stays until its last call expires.
#[derive(Default)]
pub(super) struct Tombstones {
    groups: foldhash::HashMap<u64, Group>,
    /// The keys of all groups, ordered by expiry.
    by_expiry: ExpiryQueue<u64>,
    bytes: usize,
}

struct Group {
    marks: TombstoneGroup,
    expires: Instant,
}

impl Tombstones {
    pub(super) fn insert(&mut self, Tombstone { group, bit }: Tombstone, expires: Instant) {
        match self.groups.entry(group) {
            hash_map::Entry::Occupied(mut present) => {
                let present = present.get_mut();
                self.bytes -= present.marks.size();
                present.marks.insert(bit);
                present.expires = present.expires.max(expires);
                self.bytes += present.marks.size();
            }
            hash_map::Entry::Vacant(vacant) => {
                let marks = TombstoneGroup::one(bit);
                self.bytes += GROUP + marks.size();
                vacant.insert(Group { marks, expires });
                self.by_expiry.push(expires, group);
            }
        }
    }

    pub(super) fn contains(&self, Tombstone { group, bit }: Tombstone, now: Instant) -> bool {
        self.groups.get(&group).is_some_and(|group| now < group.expires && group.marks.contains(bit))
    }

    /// Returns the approximate number of bytes that the tombstones take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the earliest time at which a group can expire, or `None` if there is no group.
    pub(super) fn next_expiry(&self) -> Option<Instant> {
        self.by_expiry.next()
    }

    /// Checks at most `most` groups, and removes the expired ones. Returns whether more groups may have expired.
    pub(super) fn sweep(&mut self, now: Instant, most: usize) -> bool {
        for _ in 0..most {
            let Some(group) = self.by_expiry.pop_due(now) else { return false };
            match self.groups.get(&group).map(|group| group.expires) {
                Some(later) if now < later => self.by_expiry.push(later, group),
                _ => self.remove(group),
            }
        }
        true
    }

    fn remove(&mut self, group: u64) {
        let Some(group) = self.groups.remove(&group) else { return };
        self.bytes -= GROUP + group.marks.size();
        if let Some(capacity) = smaller_capacity(self.groups.len(), self.groups.capacity()) {
            self.groups.shrink_to(capacity);
            self.by_expiry.shrink_to(capacity);
        }
    }
}

#[cfg(test)]
mod tests;
