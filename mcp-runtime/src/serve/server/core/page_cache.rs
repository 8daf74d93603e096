//! The pages of lists, which are serialized once for all callers with the same view of a list, until the list changes.

use std::{collections::VecDeque, ops::Range, sync::Arc, time::Duration};

use crate::{
    base::mutex::Mutex,
    wire::protocol::{capability::Capabilities, revision::Revision},
};

/// The limits of the pages for callers who lack scopes. There can be many sets of scopes, so the cache evicts the oldest
/// of these pages.
const MOST_FILTERED: usize = 256;
const MOST_FILTERED_BYTES: usize = 4 * 1024 * 1024;

/// The cached pages of a list.
#[derive(Default)]
pub(crate) struct PageCache(Mutex<CachedPages>);

#[derive(Default)]
struct CachedPages {
    /// The version of the list that the pages show.
    version: u64,
    /// The pages for callers who lack no scope. A vector and not a map, because most servers have one page for each
    /// revision.
    complete: Vec<(PageKey, ListPage)>,
    /// The pages for callers who lack scopes, the oldest first.
    filtered: VecDeque<(PageKey, ListPage)>,
    filtered_bytes: usize,
}

/// A page and the view of the list that it shows.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PageKey {
    pub(crate) page: usize,
    pub(crate) revision: Revision,
    /// The capabilities that items require but the client lacks. The page leaves out these items.
    pub(crate) lacks: Capabilities,
    /// The scopes that items require but the caller lacks, as positions in the scopes of the list. The page leaves out
    /// these items.
    pub(crate) lacks_scopes: Box<[usize]>,
    pub(crate) ttl: Duration,
}

/// One page of a list.
#[derive(Clone, Debug)]
pub(crate) struct ListPage {
    /// The result, followed by the end of the message.
    pub(crate) text: Arc<Vec<u8>>,
    /// The place of the items in `text`.
    pub(super) items: Range<usize>,
    /// The number of the items.
    pub(crate) count: usize,
    /// Whether no page follows.
    pub(crate) is_last: bool,
}

impl ListPage {
    /// Returns the JSON of the items, with commas between them.
    pub(crate) fn items(&self) -> &[u8] {
        &self.text[self.items.clone()]
    }
}

impl PageCache {
    /// Returns the page of this version of the list. If it is not cached, creates it with `new`, which returns `None`
    /// if the list has no such page.
    pub(crate) fn page(&self, version: u64, key: PageKey, new: impl FnOnce() -> Option<ListPage>) -> Option<ListPage> {
        let mut cached = self.0.lock();
        if cached.version != version {
            *cached = CachedPages { version, ..CachedPages::default() };
        }
        if let Some(page) = cached.get(&key) {
            return Some(page.clone());
        }
        let page = new()?;
        // A client can name any number of pages that do not exist.
        if page.count > 0 || key.page == 0 {
            cached.add(key, page.clone());
        }
        Some(page)
    }
}

impl CachedPages {
    fn get(&self, key: &PageKey) -> Option<&ListPage> {
        self.complete.iter().chain(&self.filtered).find(|(of, _)| of == key).map(|(_, page)| page)
    }

    fn add(&mut self, key: PageKey, page: ListPage) {
        if key.lacks_scopes.is_empty() {
            return self.complete.push((key, page));
        }
        let bytes = |(key, page): &(PageKey, ListPage)| size_of_val(&*key.lacks_scopes) + page.text.len();
        let added = (key, page);
        self.filtered_bytes += bytes(&added);
        self.filtered.push_back(added);
        while self.filtered.len() > MOST_FILTERED || self.filtered_bytes > MOST_FILTERED_BYTES {
            let Some(oldest) = self.filtered.pop_front() else { break };
            self.filtered_bytes -= bytes(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(bytes: usize) -> Option<ListPage> {
        Some(ListPage { text: Arc::new(vec![b' '; bytes]), items: 0..0, count: 0, is_last: true })
    }

    fn key(scope: usize) -> PageKey {
        let (lacks, lacks_scopes) = (Capabilities::NONE, Box::from([scope]));
        PageKey { page: 0, revision: Revision::LATEST, lacks, lacks_scopes, ttl: Duration::ZERO }
    }

    #[test]
    fn evicts_the_oldest_pages_of_callers_who_lack_scopes() {
        let cache = PageCache::default();
        let complete = PageKey { lacks_scopes: Box::default(), ..key(0) };
        cache.page(0, complete.clone(), || page(MOST_FILTERED_BYTES));
        for scope in 0..=MOST_FILTERED {
            cache.page(0, key(scope), || page(1));
        }
        assert!(cache.page(0, key(0), || None).is_none(), "the oldest was evicted");
        for scope in 1..=MOST_FILTERED {
            assert!(cache.page(0, key(scope), || None).is_some(), "{scope}");
        }
        let (small, of_scope) = (1, size_of::<usize>());
        cache.page(0, key(0), || page(MOST_FILTERED_BYTES - of_scope - (of_scope + small)));
        assert!(cache.page(0, key(MOST_FILTERED), || None).is_some(), "there is room for one more");
        assert!(cache.page(0, key(MOST_FILTERED - 1), || None).is_none(), "too many bytes");
        assert!(cache.page(0, key(1), || page(MOST_FILTERED_BYTES + 1)).is_some(), "too large to be cached");
        assert!(cache.page(0, complete, || None).is_some(), "a complete page is never evicted");
        assert!(cache.page(1, key(0), || None).is_none(), "the list has changed");
    }

    #[test]
    fn does_not_keep_pages_behind_the_end() {
        let cache = PageCache::default();
        let behind = PageKey { page: 1, lacks_scopes: Box::default(), ..key(0) };
        assert!(cache.page(0, behind.clone(), || page(1)).is_some());
        assert!(cache.page(0, behind, || None).is_none());
    }
}
