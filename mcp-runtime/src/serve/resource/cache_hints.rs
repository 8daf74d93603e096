//! How long and for whom clients can cache results.

use std::time::Duration;

/// How long and for whom a client can cache a result (since 2026-07-28). By default not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CacheHints {
    pub(crate) ttl: Duration,
    pub(crate) scope: CacheScope,
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

/// Writes the settings of the field `cache`. `$what` is what a client can cache, and `$who` is its first caller.
macro_rules! cache_settings {
    ($what:literal, $who:literal) => {
        #[doc = concat!("Sets how long a client can cache ", $what, " (since 2026-07-28). Default: no caching.")]
        pub fn ttl(mut self, ttl: std::time::Duration) -> Self {
            self.cache.ttl = ttl;
            self
        }

        #[doc = concat!("Sets which callers can get ", $what, " from a cache (since 2026-07-28). Default: only the")]
        #[doc = concat!("caller ", $who, ".")]
        pub fn cache_scope(mut self, scope: crate::serve::resource::CacheScope) -> Self {
            self.cache.scope = scope;
            self
        }
    };
}
pub(super) use cache_settings;

impl CacheHints {
    /// Returns the hints for a result with two parts: one part has these hints, the other part has the hints `other`.
    pub(crate) fn and(self, other: Self) -> Self {
        let scope = if self.scope == other.scope { self.scope } else { CacheScope::Private };
        Self { ttl: self.ttl.min(other.ttl), scope }
    }

    /// Appends the hints as members of the JSON of a result, with a comma after each member.
    pub(crate) fn push(self, out: &mut Vec<u8>) {
        let scope = match self.scope {
            CacheScope::Private => "private",
            CacheScope::Public => "public",
        };
        let hints = format!(r#""ttlMs":{},"cacheScope":"{scope}","#, self.ttl.as_millis());
        out.extend_from_slice(hints.as_bytes());
    }
}
