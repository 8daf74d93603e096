//! A queue of keys in the order of their expiry.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use tokio::time::Instant;

/// The longest time for which an entry is kept, so that its expiry never overflows.
pub(crate) const AGES: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// A table with a larger capacity shrinks when it is almost empty.
pub(crate) const LARGE: usize = 1024;

/// Returns the capacity to which a table shrinks, if it is large and almost empty.
pub(crate) fn smaller_capacity(length: usize, capacity: usize) -> Option<usize> {
    (LARGE < capacity && length * 8 < capacity).then_some(length * 2)
}

/// A queue of keys. Each key has a time that is not later than the key's expiry. If the queue returns a key too early,
/// the caller, which knows the exact expiry, pushes the key again.
pub(super) struct ExpiryQueue<K>(BinaryHeap<Reverse<(Instant, K)>>);

impl<K: Ord> ExpiryQueue<K> {
    pub(super) fn push(&mut self, expires: Instant, key: K) {
        self.0.push(Reverse((expires, key)));
    }

    /// Returns the earliest time, or `None` if the queue is empty.
    pub(super) fn next(&self) -> Option<Instant> {
        self.0.peek().map(|Reverse((expires, _))| *expires)
    }

    /// Removes and returns a key whose time is not later than `now`.
    pub(super) fn pop_due(&mut self, now: Instant) -> Option<K> {
        if self.next().is_none_or(|expires| now < expires) {
            return None;
        }
        self.0.pop().map(|Reverse((_, key))| key)
    }

    pub(super) fn retain(&mut self, mut keeps: impl FnMut(&K) -> bool) {
        self.0.retain(|Reverse((_, key))| keeps(key));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn shrink_to(&mut self, keys: usize) {
        self.0.shrink_to(keys);
    }

    /// The number of bytes on the heap.
    #[cfg(test)]
    pub(super) fn allocated(&self) -> usize {
        self.0.capacity() * size_of::<(Instant, K)>()
    }
}

impl<K: Ord> Default for ExpiryQueue<K> {
    fn default() -> Self {
        Self(BinaryHeap::new())
    }
}
