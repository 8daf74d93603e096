//! The page at the root of the server's own listener, which a later storey writes.

use bytes::Bytes;

use crate::{base::mutex::Mutex, serve::server::Service};

/// How many pages are kept: one for each URL that clients use.
const MOST: usize = 8;

/// A page about the server.
pub(crate) struct RootPage {
    /// Returns the page for clients that reach the endpoint at this URL.
    write: fn(&Service, &str) -> String,
    /// The value of `Content-Security-Policy`.
    pub(crate) policy: String,
    written: Mutex<Vec<WrittenPage>>,
}

struct WrittenPage {
    url: String,
    /// The version of the list of tools that the page shows.
    version: u64,
    bytes: Bytes,
}

impl RootPage {
    pub(crate) fn new(write: fn(&Service, &str) -> String, policy: String) -> Self {
        Self { write, policy, written: Mutex::default() }
    }

    /// Returns the page for this URL. `version` is that of the list of tools. The page is written once, and again if the
    /// list has changed.
    pub(crate) fn bytes(&self, service: &Service, url: &str, version: u64) -> Bytes {
        let is_wanted = |page: &WrittenPage| page.url == url && page.version == version;
        if let Some(page) = self.written.lock().iter().find(|page| is_wanted(page)) {
            return page.bytes.clone();
        }
        let bytes = Bytes::from((self.write)(service, url));
        let mut written = self.written.lock();
        written.retain(|page| page.version == version && page.url != url);
        if written.len() == MOST {
            written.remove(0);
        }
        written.push(WrittenPage { url: url.to_owned(), version, bytes: bytes.clone() });
        bytes
    }
}
