//! Lists: `tools/list` and those of other methods. Their pages are serialized once per revision of the
//! protocol, until the list changes.

use std::{borrow::Cow, sync::Arc, time::Duration};

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use super::{extension::Changing, pending_call::RequestReply, request::RequestContext, service::Inner};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{Client, Principal, operation::Operation},
        tool::{ToolDefinition, annotations::ToolAnnotations, registered::RegisteredTool, registry::ItemList},
    },
    wire::protocol::{
        capability::Capabilities,
        content::Annotations,
        error::RpcError,
        frame::{Frame, push_json},
        icon::Icon,
        revision::Revision,
    },
};

/// The error message for a cursor that this server did not write.
pub(crate) const BAD_CURSOR: &str = "`cursor` is not from this server; send a `nextCursor` of this list, or no cursor";

/// The cached pages of a list.
#[derive(Default)]
pub(crate) struct Pages(Mutex<CachedPages>);

#[derive(Default)]
struct CachedPages {
    /// The version of the list that the pages show.
    version: u64,
    /// A vector and not a map, because most servers have one page for each revision.
    pages: Vec<(PageKey, Arc<Vec<u8>>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct PageKey {
    revision: Revision,
    /// The capabilities that items require but the client lacks. The page leaves out these items.
    lacks: Capabilities,
    ttl: Duration,
    page: usize,
}

/// A list that clients get in pages.
pub(crate) struct PagedList<'a> {
    /// The name of the list in the result.
    pub(crate) member: &'static str,
    pub(crate) changing: Changing,
    pub(crate) items: &'a ItemList,
    /// Appends the object of an item.
    pub(crate) push: fn(&RegisteredTool, Revision, &mut Vec<u8>),
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
        Self { client, principal, is_remote, hides_unauthorized: server.hide_unauthorized }
    }

    /// Whether the lists of this caller contain the item.
    pub(crate) fn sees(&self, item: &RegisteredTool) -> bool {
        let has_capabilities =
            self.client.revision().is_modern() || item.requires.without(self.client.capabilities()).is_empty();
        has_capabilities && self.is_granted(item)
    }

    /// Whether other callers can see other items of this list because of their scopes.
    pub(crate) fn is_private<'i>(&self, mut items: impl Iterator<Item = &'i RegisteredTool>) -> bool {
        self.hides_unauthorized && items.any(|item| !item.definition.scopes.is_empty())
    }

    fn is_granted(&self, item: &RegisteredTool) -> bool {
        !self.hides_unauthorized || item.is_granted(self.principal, self.is_remote)
    }
}

/// Answers `tools/list`.
pub(crate) fn list<'a>(context: RequestContext<'a>, client: &Client) -> Result<RequestReply<'a>, RpcError> {
    let registry = context.server.registry.read();
    let list = PagedList {
        member: "tools",
        changing: Changing::Tools,
        items: registry.list(Operation::CallTool),
        push: |tool, revision, out| push_json(out, &Listed::new(tool, revision)),
    };
    context.server.pages.answer(context, client, &list)
}

impl Pages {
    /// Answers a request for a page of the list. Creates the page if it is not cached.
    pub(crate) fn answer<'a>(
        &self,
        context: RequestContext<'a>,
        client: &Client,
        list: &PagedList<'_>,
    ) -> Result<RequestReply<'a>, RpcError> {
        let RequestContext { server, peer, id, params, .. } = context;
        let page = match params.cursor()? {
            None => 0,
            Some(cursor) => read_cursor(&cursor).ok_or_else(bad_cursor)?,
        };
        let viewer = Viewer::new(server, client, peer.principal.as_ref(), peer.remote);
        let page = self.page(server, &viewer, list, page)?;
        Ok(RequestReply::Ready(Frame::shared(id, page)))
    }

    fn page(
        &self,
        server: &Inner,
        viewer: &Viewer<'_>,
        list: &PagedList<'_>,
        page: usize,
    ) -> Result<Arc<Vec<u8>>, RpcError> {
        let items = list.items;
        let revision = viewer.client.revision();
        let lacks = match revision.is_modern() {
            true => Capabilities::default(),
            false => items.requires.without(viewer.client.capabilities()),
        };
        let key = PageKey { revision, lacks, ttl: server.ttl_of(list.changing), page };
        // Callers have many different sets of scopes, so the pages that depend on them are not cached.
        if viewer.hides_unauthorized && !items.iter().all(|item| viewer.is_granted(item)) {
            return Ok(Arc::new(new_page(server, viewer, list, key).ok_or_else(bad_cursor)?));
        }
        let mut cached = self.0.lock();
        if cached.version != items.version {
            *cached = CachedPages { version: items.version, pages: Vec::new() };
        }
        if let Some((_, made)) = cached.pages.iter().find(|(of, _)| *of == key) {
            return Ok(Arc::clone(made));
        }
        let made = Arc::new(new_page(server, viewer, list, key).ok_or_else(bad_cursor)?);
        cached.pages.push((key, Arc::clone(&made)));
        Ok(made)
    }
}

/// Creates the page with this number, if it exists. Page 0 always exists.
fn new_page(server: &Inner, viewer: &Viewer<'_>, list: &PagedList<'_>, key: PageKey) -> Option<Vec<u8>> {
    let items = list.items;
    let (first, size) = (key.page.saturating_mul(server.page_size), server.page_size);
    let (mut filtered, mut all);
    let shown: &mut dyn Iterator<Item = &RegisteredTool> = if items.iter().all(|item| viewer.sees(item)) {
        all = items.iter().skip(first);
        &mut all
    } else {
        filtered = items.iter().filter(|item| viewer.sees(item)).skip(first);
        &mut filtered
    };
    let mut shown = shown.peekable();
    // A missing page is an error only if the list has never changed. Otherwise the page may have existed when its
    // cursor was made.
    if key.page > 0 && items.version == 0 && shown.peek().is_none() {
        return None;
    }
    let mut out = if key.revision.is_modern() { br#"{"resultType":"complete",""#.to_vec() } else { br#"{""#.to_vec() };
    out.extend_from_slice(list.member.as_bytes());
    out.extend_from_slice(br#"":["#);
    for (index, item) in shown.by_ref().take(size).enumerate() {
        if index > 0 {
            out.push(b',');
        }
        match items.version {
            0 => (list.push)(item, key.revision, &mut out),
            // If the list has changed, its pages are assembled from the stored objects of its items.
            _ => out.extend_from_slice(item.listed(key.revision, list.push)),
        }
    }
    out.push(b']');
    let mut rest = Map::new();
    if shown.peek().is_some() {
        rest.insert("nextCursor".into(), write_cursor(key.page + 1).into());
    }
    if key.revision.is_modern() {
        let cache_scope = if viewer.is_private(items.iter()) { "private" } else { "public" };
        server.add_modern_hints(&mut rest, key.ttl, cache_scope);
    }
    for (name, value) in &rest {
        out.extend_from_slice(b",");
        push_json(&mut out, name);
        out.push(b':');
        push_json(&mut out, value);
    }
    // The second brace ends the response.
    out.extend_from_slice(b"}}\n");
    Some(out)
}

/// The object of a tool, a prompt, a resource or a template in a list. Each kind has some of the members.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri_template: Option<&'a str>,
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<ListedArgument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) input_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<ListedAnnotations<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<&'a Map<String, Value>>,
}

/// An argument of a prompt in a list.
#[derive(Serialize)]
pub(crate) struct ListedArgument<'a> {
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'a str>,
    pub(crate) required: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum ListedAnnotations<'a> {
    Tool(&'a ToolAnnotations),
    Resource(Cow<'a, Annotations>),
}

impl<'a> Listed<'a> {
    /// Creates the object of a tool.
    pub(crate) fn new(tool: &'a RegisteredTool, revision: Revision) -> Self {
        let output = tool.output.as_ref().filter(|output| output.is_carried(revision));
        let listed = Self {
            input_schema: Some(tool.schema.published()),
            output_schema: output.map(|output| &*output.published),
            annotations: Some(ListedAnnotations::Tool(&tool.definition.annotations)),
            ..Self::of(&tool.definition)
        };
        listed.known_in(revision)
    }

    /// Creates an object with the members that all kinds of items have.
    pub(crate) fn of(definition: &'a ToolDefinition) -> Self {
        Self {
            name: &definition.name,
            title: definition.title.as_deref(),
            description: Some(&definition.description),
            icons: &definition.icons,
            meta: definition.meta.as_ref(),
            ..Self::default()
        }
    }

    /// Removes the members that this revision lacks, and annotations that say nothing.
    pub(crate) fn known_in(mut self, revision: Revision) -> Self {
        let has_structured_content = revision.has_structured_content();
        // `title`, `_meta` and `lastModified` came with structured content.
        if !has_structured_content {
            (self.title, self.meta) = (None, None);
        }
        if !revision.has_icons() {
            self.icons = &[];
        }
        self.annotations.take_if(|annotations| match annotations {
            ListedAnnotations::Tool(hints) => !revision.has_tool_annotations() || **hints == ToolAnnotations::default(),
            ListedAnnotations::Resource(annotations) => {
                if !has_structured_content && annotations.last_modified.is_some() {
                    annotations.to_mut().last_modified = None;
                }
                **annotations == Annotations::default()
            }
        });
        self
    }
}

/// Returns what the manifest says about items: the object of each, and what a client needs to call it.
pub(crate) fn manifest<'i>(items: impl Iterator<Item = (&'i RegisteredTool, Value)>) -> Value {
    let objects = items.map(|(item, mut object)| {
        if !item.requires.is_empty() {
            object["requires"] = item.requires.to_json();
        }
        object
    });
    objects.collect()
}

fn write_cursor(page: usize) -> String {
    format!("page-{page}")
}

fn read_cursor(cursor: &str) -> Option<usize> {
    let page = cursor.strip_prefix("page-")?.parse().ok()?;
    // Accepts only the exact text that this server writes.
    (0 < page && write_cursor(page) == cursor).then_some(page)
}

fn bad_cursor() -> RpcError {
    RpcError::invalid_params(BAD_CURSOR)
}
