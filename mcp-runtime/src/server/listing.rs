//! Lists: `tools/list` and those of other methods. Their pages are serialized once per revision of the
//! protocol, until the list changes.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use super::Inner;
use crate::{
    call::{Client, operation::Operation},
    mutex::Mutex,
    protocol::{capability::Capabilities, error::RpcError, frame::push_json, icon::Icon, revision::Revision},
    tool::{definition::ToolAnnotations, registered::RegisteredTool, registry::ItemList},
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
    page: usize,
}

/// Answers `tools/list`.
pub(crate) fn list(server: &Inner, client: &Client, cursor: Option<&str>) -> Result<Arc<Vec<u8>>, RpcError> {
    let registry = server.registry.read();
    server.pages.page(server, client, cursor, "tools", registry.list(Operation::CallTool), |tool, revision, out| {
        push_json(out, &Listed::new(tool, revision));
    })
}

impl Pages {
    /// Returns the page at the cursor, and creates it if it is not cached. `member` is the name of the list in the
    /// result, and `push` appends the object of an item.
    ///
    /// A client in a session does not see items that need more capabilities than the client has. Since 2026-07-28
    /// clients see all items, because the list can be cached for other clients. If the client lacks a capability that a
    /// call needs, the response to the call reports this.
    pub(crate) fn page(
        &self,
        server: &Inner,
        client: &Client,
        cursor: Option<&str>,
        member: &'static str,
        list: &ItemList,
        push: fn(&RegisteredTool, Revision, &mut Vec<u8>),
    ) -> Result<Arc<Vec<u8>>, RpcError> {
        let page = match cursor {
            None => 0,
            Some(cursor) => read_cursor(cursor).ok_or_else(bad_cursor)?,
        };
        let revision = client.revision();
        let lacks = match revision.is_modern() {
            true => Capabilities::default(),
            false => list.requires().without(client.capabilities()),
        };
        let key = PageKey { revision, lacks, page };
        let mut cached = self.0.lock();
        if cached.version != list.version() {
            *cached = CachedPages { version: list.version(), pages: Vec::new() };
        }
        if let Some((_, made)) = cached.pages.iter().find(|(of, _)| *of == key) {
            return Ok(Arc::clone(made));
        }
        let made = Arc::new(new_page(server, member, key, list, push).ok_or_else(bad_cursor)?);
        cached.pages.push((key, Arc::clone(&made)));
        Ok(made)
    }
}

/// Creates the page with this number, if it exists. Page 0 always exists.
fn new_page(
    server: &Inner,
    member: &str,
    key: PageKey,
    list: &ItemList,
    push: fn(&RegisteredTool, Revision, &mut Vec<u8>),
) -> Option<Vec<u8>> {
    let (first, size) = (key.page.saturating_mul(server.page_size), server.page_size);
    let is_shown = |item: &&RegisteredTool| item.requires.intersection(key.lacks).is_empty();
    let (mut filtered, mut all);
    let items: &mut dyn Iterator<Item = &RegisteredTool> = if key.lacks.is_empty() {
        all = list.iter_from(first);
        &mut all
    } else {
        filtered = list.iter().filter(is_shown).skip(first);
        &mut filtered
    };
    let mut items = items.peekable();
    // A missing page is an error only if the list has never changed. Otherwise the page may have existed when its
    // cursor was made.
    if key.page > 0 && list.version() == 0 && items.peek().is_none() {
        return None;
    }
    let mut out = if key.revision.is_modern() { br#"{"resultType":"complete",""#.to_vec() } else { br#"{""#.to_vec() };
    out.extend_from_slice(member.as_bytes());
    out.extend_from_slice(br#"":["#);
    for (index, item) in items.by_ref().take(size).enumerate() {
        if index > 0 {
            out.push(b',');
        }
        match list.version() {
            0 => push(item, key.revision, &mut out),
            // If the list has changed, its pages are assembled from the stored objects of its items.
            _ => out.extend_from_slice(item.listed(key.revision, push)),
        }
    }
    out.push(b']');
    let mut rest = Map::new();
    if items.peek().is_some() {
        rest.insert("nextCursor".into(), write_cursor(key.page + 1).into());
    }
    if key.revision.is_modern() {
        server.add_modern_hints(&mut rest);
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
/// The `Tool` object that a list contains.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a ToolAnnotations>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Map<String, Value>>,
}

impl<'a> Listed<'a> {
    pub(crate) fn new(tool: &'a RegisteredTool, revision: Revision) -> Self {
        let definition = &tool.definition;
        let annotations = Some(&definition.annotations).filter(|hints| **hints != ToolAnnotations::default());
        Self {
            name: &definition.name,
            title: definition.title.as_deref().filter(|_| revision.has_structured_content()),
            description: &definition.description,
            input_schema: tool.schema.published(),
            output_schema: tool
                .output
                .as_ref()
                .filter(|output| output.is_carried(revision))
                .map(|output| &*output.published),
            annotations: annotations.filter(|_| revision.has_tool_annotations()),
            icons: if revision.has_icons() { &definition.icons } else { &[] },
            meta: definition.meta.as_ref().filter(|_| revision.has_structured_content()),
        }
    }
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
