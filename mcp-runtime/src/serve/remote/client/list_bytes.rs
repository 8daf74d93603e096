//! The bytes of all lists of a server, so that they have one limit.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::lists::ListName;

/// The bytes of each list, in JSON.
pub(super) struct ListBytes {
    most: usize,
    used: [AtomicUsize; 4],
}

/// The bytes of a list that is read. Dropping this counts the list of before again.
pub(super) struct ReadBytes<'a> {
    all: &'a ListBytes,
    name: ListName,
    before: usize,
    read: usize,
}

impl ListBytes {
    pub(super) fn new(most: usize) -> Self {
        Self { most, used: Default::default() }
    }

    /// Begins to count a list. The caller reads each list once at a time.
    pub(super) fn read(&self, name: ListName) -> ReadBytes<'_> {
        let before = self.used[name as usize].load(Ordering::Relaxed);
        ReadBytes { all: self, name, before, read: 0 }
    }
}

impl ReadBytes<'_> {
    /// Adds a page. Returns whether all lists together are within the limit. The list of before counts until the new one
    /// is longer, because it is kept until then.
    pub(super) fn add(&mut self, page: usize) -> bool {
        self.read += page;
        self.set(self.read.max(self.before));
        self.all.used.iter().map(|used| used.load(Ordering::Relaxed)).sum::<usize>() <= self.all.most
    }

    /// Notes that the list of before is replaced.
    pub(super) fn keep(mut self) {
        self.before = self.read;
    }

    fn set(&self, bytes: usize) {
        self.all.used[self.name as usize].store(bytes, Ordering::Relaxed);
    }
}

impl Drop for ReadBytes<'_> {
    fn drop(&mut self) {
        self.set(self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lists_share_the_limit() {
        let bytes = ListBytes::new(10);
        let mut tools = bytes.read(ListName::Tools);
        assert!(tools.add(3) && tools.add(3));
        tools.keep();
        let mut prompts = bytes.read(ListName::Prompts);
        assert!(prompts.add(4));
        assert!(!prompts.add(1));
    }

    #[test]
    fn a_list_that_is_read_again_counts_once() {
        let bytes = ListBytes::new(10);
        for _ in 0..3 {
            let mut tools = bytes.read(ListName::Tools);
            assert!(tools.add(8));
            tools.keep();
        }
        // This reading fails, so the list of before is kept.
        let mut tools = bytes.read(ListName::Tools);
        assert!(!tools.add(11));
        drop(tools);
        assert!(bytes.read(ListName::Prompts).add(2));
        assert!(!bytes.read(ListName::Prompts).add(3));
    }
}
