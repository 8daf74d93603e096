//! The pages of lists, which are serialized once per revision of the protocol, until the list changes.

use std::{sync::Arc, time::Duration};

use crate::{
    base::mutex::Mutex,
    wire::protocol::{capability::Capabilities, revision::Revision},
};

/// The cached pages of a list.
#[derive(Default)]
pub(crate) struct PageCache(Mutex<CachedPages>);

#[derive(Default)]
struct CachedPages {
    /// The version of the list that the pages show.
    version: u64,
    /// A vector and not a map, because most servers have one page for each revision.
    pages: Vec<(PageKey, Arc<Vec<u8>>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PageKey {
    pub(crate) revision: Revision,
    /// The capabilities that items require but the client lacks. The page leaves out these items.
    pub(crate) lacks: Capabilities,
    pub(crate) ttl: Duration,
    pub(crate) page: usize,
}

impl PageCache {
    /// Returns the page of this version of the list. If it is not cached, creates it with `new`, which returns `None`
    /// if the list has no such page.
    pub(crate) fn page(
        &self,
        version: u64,
        key: PageKey,
        new: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Arc<Vec<u8>>> {
        let mut cached = self.0.lock();
        if cached.version != version {
            *cached = CachedPages { version, pages: Vec::new() };
        }
        if let Some((_, made)) = cached.pages.iter().find(|(of, _)| *of == key) {
            return Some(Arc::clone(made));
        }
        let made = Arc::new(new()?);
        cached.pages.push((key, Arc::clone(&made)));
        Some(made)
    }
}
