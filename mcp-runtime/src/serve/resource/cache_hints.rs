//! How long and for whom clients can cache results.

use std::time::Duration;

/// How long and for whom a client can cache a result (since 2026-07-28).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CacheHints {
    pub(super) ttl: Duration,
    pub(super) scope: CacheScope,
}

/// The callers who can get a result from a cache (since 2026-07-28).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheScope {
    /// The caller who got the result.
    #[default]
    Private,
    /// All callers. The result must contain no data of a user.
    Public,
}

impl Default for CacheHints {
    /// Returns hints that allow no caching.
    fn default() -> Self {
        Self { ttl: Duration::ZERO, scope: CacheScope::Private }
    }
}

impl CacheHints {
    /// Returns the hints for a result with two parts: one part has these hints, the other part has the hints `other`.
    pub(super) fn and(self, other: Self) -> Self {
        let scope = if self.scope == other.scope { self.scope } else { CacheScope::Private };
        Self { ttl: self.ttl.min(other.ttl), scope }
    }

    /// Appends the hints as members of the JSON of a result, with a comma after each member.
    pub(super) fn push(self, out: &mut Vec<u8>) {
        let scope = match self.scope {
            CacheScope::Private => "private",
            CacheScope::Public => "public",
        };
        let hints = format!(r#""ttlMs":{},"cacheScope":"{scope}","#, self.ttl.as_millis());
        out.extend_from_slice(hints.as_bytes());
    }
}
