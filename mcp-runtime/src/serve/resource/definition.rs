//! The published definition of a resource.

use std::{borrow::Cow, time::Duration};

use super::{ListRequest, Listing};
use crate::{
    engine::{
        call::operation::Operation,
        tool::{ToolDefinition, definition::item_settings, named_function::NamedFunction},
    },
    serve::complete::TextArgument,
    wire::protocol::content::Annotations,
};

/// The data that a server publishes about a resource or a template of resources, and the settings of its calls.
///
/// `#[mcp_resource]` generates the definition. For a resource created at run time, build the definition by hand:
///
/// ```
/// use std::time::Duration;
///
/// use mcp_runtime::{CacheScope, ResourceDefinition};
///
/// let logo = ResourceDefinition::new("docs://logo", "logo", "The logo of the product.")
///     .mime_type("image/png")
///     .size(4_096)
///     .ttl(Duration::from_secs(86_400))
///     .cache_scope(CacheScope::Public);
/// let page = ResourceDefinition::new("docs://pages/{name}", "page", "A page of the manual.").mime_type("text/markdown");
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ResourceDefinition {
    /// The settings that resources share with tools.
    pub(super) call: ToolDefinition,
    /// The URI or the template.
    pub(super) uri: Cow<'static, str>,
    pub(super) mime_type: Option<Cow<'static, str>>,
    pub(super) size: Option<u64>,
    pub(super) annotations: Option<Annotations>,
    pub(super) variables: Vec<TextArgument>,
    /// Lists the resources of the template. Without it, [`Resource::list`](super::Resource::list) lists them.
    pub(super) lister: Option<NamedFunction<ListRequest, Listing>>,
    pub(super) cache: CacheHints,
    /// The reason why the resource cannot be served.
    pub(super) problem: Option<String>,
}

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

impl ResourceDefinition {
    item_settings!("resource", call);

    /// Creates a resource with a fixed URI, such as `docs://logo`, or a template of resources, such as
    /// `docs://pages/{name}`.
    ///
    /// A template is a URI with variables (RFC 6570: levels 1 and 2, and the queries of level 3):
    ///
    /// | expression | its value |
    /// | --- | --- |
    /// | `{name}` | one or more characters, but not `/`, `?` and `#` unless they are percent-encoded |
    /// | `{+path}` | one or more characters of any kind |
    /// | `{?a,b}` | the values of `a` and `b` in the query, such as `?b=2&a=1`; only at the end of a template |
    /// | `{&a,b}` | the same in a query that the template begins, such as `?kind=page` |
    /// | `{#fragment}` | the text after `#`, if the URI has a `#`; only at the end of a template |
    ///
    /// Values are percent-decoded once. If a URI matches a template in several ways, the first variable gets as much
    /// text as possible. In a query, the variables can have any order, and each can be absent. A query with another
    /// name, or with a name twice, does not match. A `+` in a query is a `+`, not a space. A template does not match a URI of more than 64 KiB.
    ///
    /// Several resources of a server can match one URI. The server reads the resource with this fixed URI, if there is
    /// one. Otherwise it reads the template with the most text outside of its variables. Among templates with the same
    /// amount of text, it reads the one with the fewest `{+…}`, and then the one with the fewest variables in
    /// its query. If these numbers are equal too, it reads the template
    /// that was added first.
    pub fn new(
        uri: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut call = ToolDefinition::new(name, description);
        call.operation = Operation::ReadResource;
        Self {
            call,
            uri: uri.into(),
            mime_type: None,
            size: None,
            annotations: None,
            variables: Vec::new(),
            lister: None,
            cache: CacheHints::default(),
            problem: None,
        }
    }

    /// Sets the MIME type of the contents.
    pub fn mime_type(mut self, mime_type: impl Into<Cow<'static, str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size of the contents in bytes. A template has no size.
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Sets the audience, the priority and the time of the last change.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Describes a variable of the template, so that clients can complete its value.
    pub fn variable(mut self, variable: TextArgument) -> Self {
        self.call.states.extend(variable.needs());
        self.variables.push(variable);
        self
    }

    /// Sets the function that lists the resources of the template.
    pub(crate) fn listed_by(mut self, lister: NamedFunction<ListRequest, Listing>) -> Self {
        self.call.states.extend(lister.states().iter().map(|need| need.of_function()));
        self.lister = Some(lister);
        self
    }

    /// Sets how long a client can cache the contents (since 2026-07-28). Default: no caching.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.cache.ttl = ttl;
        self
    }

    /// Sets which callers can get the contents from a cache (since 2026-07-28). Default: only the caller who read them.
    pub fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.cache.scope = scope;
        self
    }

    /// Returns the URI or the template.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Changes the settings that resources share with tools.
    #[doc(hidden)]
    pub fn with(mut self, change: impl FnOnce(ToolDefinition) -> ToolDefinition) -> Self {
        self.call = change(self.call);
        self
    }
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
