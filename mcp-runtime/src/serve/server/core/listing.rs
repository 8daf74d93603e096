//! Lists: `tools/list` and those of other methods.

use std::{sync::Arc, time::Duration};

use serde_json::Map;

use super::{
    listed::Listed,
    page_cache::{ListPage, PageCache, PageKey},
    pending_call::RequestReply,
    service::{Inner, RequestContext},
};
use crate::{
    engine::{
        call::{Client, Principal, operation::Operation},
        tool::{guard::has_scope, registered::RegisteredTool, registry::ItemList},
    },
    wire::protocol::{
        capability::Capabilities,
        error::RpcError,
        frame::{Frame, push_json},
        revision::Revision,
    },
};

/// The error message for a cursor that this server did not write.
pub(crate) const BAD_CURSOR: &str = "`cursor` is not from this server; send a `nextCursor` of this list, or no cursor";

/// A list that clients get in pages.
pub(crate) struct PagedList<'a> {
    /// The name of the list in the result.
    pub(crate) member: &'static str,
    pub(crate) items: &'a ItemList,
    /// The kind of request that calls an item.
    pub(crate) kind: Operation,
    /// Returns the object of an item.
    pub(crate) listed: fn(&RegisteredTool, Revision) -> Listed<'_>,
    pub(crate) cache: &'a PageCache,
}

/// The caller of a list, who may not see all of its items.
///
/// A client in a session does not see items that need more capabilities than the client has. Since 2026-07-28 clients
/// see all items, because the list can be cached for other clients. If the client lacks a capability that a call needs,
/// the response to the call reports this.
///
/// With [`Server::hide_unauthorized`](crate::Server::hide_unauthorized), a caller does not see items whose scopes it was
/// not granted.
pub(crate) struct Viewer<'a> {
    client: &'a Client,
    principal: Option<&'a Principal>,
    is_remote: bool,
    hides_unauthorized: bool,
}

impl<'a> Viewer<'a> {
    pub(crate) fn new(server: &Inner, client: &'a Client, principal: Option<&'a Principal>, is_remote: bool) -> Self {
        Self { client, principal, is_remote, hides_unauthorized: server.settings.hide_unauthorized }
    }

    /// Whether the lists of this caller contain the item.
    pub(crate) fn sees(&self, item: &RegisteredTool) -> bool {
        let has_capabilities =
            self.client.revision().is_modern() || item.requires.without(self.client.capabilities()).is_empty();
        has_capabilities && self.is_granted(item)
    }

    /// Whether other callers can see other items of this list because of their scopes.
    pub(crate) fn is_private(&self, items: &ItemList) -> bool {
        self.hides_unauthorized && !items.scopes.is_empty()
    }

    fn is_granted(&self, item: &RegisteredTool) -> bool {
        !self.hides_unauthorized || item.is_granted(self.principal, self.is_remote)
    }

    /// Returns the positions of those scopes of the list that the caller lacks, if they hide items.
    fn lacks_scopes(&self, items: &ItemList) -> Box<[usize]> {
        let scopes = items.scopes.iter().enumerate().filter(|_| self.hides_unauthorized);
        scopes.filter(|(_, scope)| !has_scope(self.principal, self.is_remote, scope)).map(|(at, _)| at).collect()
    }
}

/// Answers `tools/list`.
pub(crate) fn list_tools<'a>(context: RequestContext<'a>, client: &Client) -> Result<RequestReply<'a>, RpcError> {
    let registry = context.server.registry.read();
    let part = context.server.listed_tools(&registry);
    let list = PagedList {
        member: "tools",
        items: part.as_deref().unwrap_or_else(|| registry.list(Operation::CallTool)),
        kind: Operation::CallTool,
        listed: |tool, revision| Listed::new(tool, revision),
        cache: &context.server.pages,
    };
    list.answer(context, client)
}

impl PagedList<'_> {
    /// Answers a request for a page of the list.
    pub(crate) fn answer<'a>(
        &self,
        context: RequestContext<'a>,
        client: &Client,
    ) -> Result<RequestReply<'a>, RpcError> {
        let RequestContext { server, peer, id, params, .. } = context;
        let viewer = Viewer::new(server, client, peer.principal.as_ref(), peer.remote);
        let page = page_number(params.cursor()?.as_deref());
        let page = page.and_then(|page| self.page(server, &viewer, page));
        let page = page.ok_or_else(|| RpcError::invalid_params(BAD_CURSOR))?;
        Ok(RequestReply::Ready(Frame::shared(id, page.text)))
    }

    /// Returns the page with this number, if it exists.
    pub(crate) fn page(&self, server: &Inner, viewer: &Viewer<'_>, page: usize) -> Option<ListPage> {
        let revision = viewer.client.revision();
        let lacks = match revision.is_modern() {
            true => Capabilities::default(),
            false => self.items.requires.without(viewer.client.capabilities()),
        };
        let (lacks_scopes, ttl) = (viewer.lacks_scopes(self.items), server.ttl_of(self.kind));
        let key = PageKey { page, revision, lacks, lacks_scopes, ttl };
        self.cache.page(self.items.version, key, || self.new_page(server, viewer, page, ttl))
    }

    /// Creates the page with this number, if it exists. Page 0 always exists.
    fn new_page(&self, server: &Inner, viewer: &Viewer<'_>, page: usize, ttl: Duration) -> Option<ListPage> {
        let (items, revision) = (self.items, viewer.client.revision());
        let (first, size) = (page.saturating_mul(server.settings.page_size), server.settings.page_size);
        let mut shown = items.iter().filter(|item| viewer.sees(item)).skip(first).peekable();
        // A missing page is an error only if the list has never changed. Otherwise the page may have existed when its
        // cursor was made.
        if page > 0 && items.version == 0 && shown.peek().is_none() {
            return None;
        }
        let mut out = if revision.is_modern() { br#"{"resultType":"complete",""#.to_vec() } else { br#"{""#.to_vec() };
        out.extend_from_slice(self.member.as_bytes());
        out.extend_from_slice(br#"":["#);
        let (start, mut count) = (out.len(), 0);
        for item in shown.by_ref().take(size) {
            if count > 0 {
                out.push(b',');
            }
            push_json(&mut out, &(self.listed)(item, revision));
            count += 1;
        }
        let (place, is_last) = (start..out.len(), shown.peek().is_none());
        out.push(b']');
        let mut rest = Map::new();
        if !is_last {
            rest.insert("nextCursor".into(), write_cursor(page + 1).into());
        }
        if revision.is_modern() {
            let cache_scope = if viewer.is_private(items) { "private" } else { "public" };
            server.add_modern_hints(&mut rest, ttl, cache_scope);
        }
        for (name, value) in &rest {
            out.extend_from_slice(b",");
            push_json(&mut out, name);
            out.push(b':');
            push_json(&mut out, value);
        }
        // The second brace ends the response.
        out.extend_from_slice(b"}}\n");
        Some(ListPage { text: Arc::new(out), items: place, count, is_last })
    }
}

/// Returns the cursor of the page with this number.
pub(crate) fn write_cursor(page: usize) -> String {
    format!("page-{page}")
}

/// Returns the number of the page that a cursor names, or 0 without a cursor. Returns `None` if the cursor is not one
/// that [`write_cursor`] writes.
pub(crate) fn page_number(cursor: Option<&str>) -> Option<usize> {
    let Some(cursor) = cursor else { return Some(0) };
    let page = cursor.strip_prefix("page-")?.parse().ok()?;
    // Accepts only the exact text that this server writes.
    (0 < page && write_cursor(page) == cursor).then_some(page)
}
