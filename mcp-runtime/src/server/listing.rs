//! Lists: `tools/list`, `prompts/list` and others. Each page is serialized once per revision.

use std::{collections::HashMap, sync::Arc};

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::{Map, Value, value::RawValue};

use super::Inner;
use crate::{
    call::Client,
    mutex::Mutex,
    protocol::{capability::Capabilities, error::RpcError, frame::shared_result, revision::Revision},
    tool::{definition::ToolAnnotations, registry::RegisteredTool},
};

/// The error message for a cursor that this server did not write.
pub(crate) const BAD_CURSOR: &str = "`cursor` is not from this server; send a `nextCursor` of this list, or no cursor";

/// The cached pages of a list.
#[derive(Default)]
pub(crate) struct Pages(Mutex<HashMap<PageKey, Arc<Vec<u8>>>>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PageKey {
    revision: Revision,
    /// The capabilities that the client lacks, although items require them. The page leaves out these items.
    lacks: Capabilities,
    page: usize,
}

/// Answers `tools/list`.
pub(crate) fn list(server: &Inner, client: &Client, cursor: Option<&str>) -> Result<Arc<Vec<u8>>, RpcError> {
    server.pages.page(server, client, cursor, "tools", server.registry.iter(), Listed::new)
}

impl Pages {
    /// Returns the page at the cursor, and creates it if it is not cached. `member` is the name of the list in the
    /// result, and `listed` returns the object of an item.
    ///
    /// A client in a session does not see items that need more capabilities than the client has. Since 2026-07-28
    /// clients see all items, because the list can be cached for other clients. The response to a call reports a
    /// missing capability.
    pub(crate) fn page<'a, T: Serialize>(
        &self,
        server: &Inner,
        client: &Client,
        cursor: Option<&str>,
        member: &'static str,
        items: impl Iterator<Item = &'a RegisteredTool> + Clone,
        listed: impl Fn(&'a RegisteredTool, Revision) -> T,
    ) -> Result<Arc<Vec<u8>>, RpcError> {
        let revision = client.revision();
        let lacks = if revision.is_modern() {
            Capabilities::default()
        } else {
            required_by_any(items.clone()).without(client.capabilities())
        };
        let page = match cursor {
            None => 0,
            Some(cursor) => read_cursor(cursor).ok_or_else(bad_cursor)?,
        };
        let key = PageKey { revision, lacks, page };
        let mut pages = self.0.lock();
        if let Some(made) = pages.get(&key) {
            return Ok(Arc::clone(made));
        }
        let shown = items.filter(|item| item.requires.intersection(lacks).is_empty());
        let made = new_page(server, member, key, shown.map(|item| listed(item, revision))).ok_or_else(bad_cursor)?;
        pages.insert(key, Arc::clone(&made));
        Ok(made)
    }
}

/// Returns the capabilities that at least one item requires.
fn required_by_any<'a>(items: impl Iterator<Item = &'a RegisteredTool>) -> Capabilities {
    items.fold(Capabilities::default(), |all, item| all.union(item.requires))
}

/// Creates the page with this number, if it exists. Page 0 always exists.
fn new_page<T: Serialize>(
    server: &Inner,
    member: &'static str,
    key: PageKey,
    items: impl Iterator<Item = T>,
) -> Option<Arc<Vec<u8>>> {
    let mut items = items.skip(key.page.saturating_mul(server.page_size)).peekable();
    if key.page > 0 && items.peek().is_none() {
        return None;
    }
    let mut page = Page {
        is_modern: key.revision.is_modern(),
        member,
        items: items.by_ref().take(server.page_size).collect(),
        next_cursor: items.peek().map(|_| write_cursor(key.page + 1)),
        hints: Map::new(),
    };
    if key.revision.is_modern() {
        server.add_modern_hints(&mut page.hints);
    }
    Some(shared_result(&page))
}

/// The result of a list request. Its items borrow the definitions, because schemas are large.
struct Page<T> {
    is_modern: bool,
    member: &'static str,
    items: Vec<T>,
    next_cursor: Option<String>,
    hints: Map<String, Value>,
}

impl<T: Serialize> Serialize for Page<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if self.is_modern {
            map.serialize_entry("resultType", "complete")?;
        }
        map.serialize_entry(self.member, &self.items)?;
        if let Some(cursor) = &self.next_cursor {
            map.serialize_entry("nextCursor", cursor)?;
        }
        for (name, value) in &self.hints {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
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
