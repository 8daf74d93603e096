//! `tools/list`: the pages are serialized once per revision.

use std::{collections::HashMap, sync::Arc};

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use super::Inner;
use crate::{
    mutex::Mutex,
    protocol::{capability::Capabilities, error::RpcError, frame::shared_result, revision::Revision},
    tool::{definition::ToolAnnotations, registry::RegisteredTool},
};

/// The cached pages of `tools/list`.
#[derive(Default)]
pub(crate) struct Pages(Mutex<HashMap<PageKey, Arc<Vec<u8>>>>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PageKey {
    revision: Revision,
    /// The required capabilities that the client lacks. The page leaves out the tools that need one of them.
    lacks: Capabilities,
    page: usize,
}

/// Answers `tools/list`. A client in a session does not see tools that need a capability that the client lacks. Since
/// 2026-07-28 clients see all tools, because the list can be cached for other clients. The response to a call reports a
/// missing capability.
pub(crate) fn list(
    server: &Inner,
    revision: Revision,
    client: Capabilities,
    cursor: Option<&str>,
) -> Result<Arc<Vec<u8>>, RpcError> {
    let lacks =
        if revision.is_modern() { Capabilities::default() } else { server.registry.required_by_any().without(client) };
    let page = match cursor {
        None => 0,
        Some(cursor) => read_cursor(cursor).ok_or_else(bad_cursor)?,
    };
    let key = PageKey { revision, lacks, page };
    let mut pages = server.pages.0.lock();
    if let Some(made) = pages.get(&key) {
        return Ok(Arc::clone(made));
    }
    let made = make(server, key).ok_or_else(bad_cursor)?;
    pages.insert(key, Arc::clone(&made));
    Ok(made)
}

/// Creates the page with this number, if it exists. Page 0 always exists.
fn make(server: &Inner, key: PageKey) -> Option<Arc<Vec<u8>>> {
    let start = key.page.saturating_mul(server.page_size);
    let mut tools =
        server.registry.iter().filter(|tool| tool.requires.intersection(key.lacks).is_empty()).skip(start).peekable();
    if key.page > 0 && tools.peek().is_none() {
        return None;
    }
    let mut page = Page {
        result_type: key.revision.is_modern().then_some("complete"),
        tools: tools.by_ref().take(server.page_size).map(|tool| Listed::new(tool, key.revision)).collect(),
        next_cursor: tools.peek().map(|_| write_cursor(key.page + 1)),
        hints: Map::new(),
    };
    if key.revision.is_modern() {
        server.add_modern_hints(&mut page.hints);
    }
    Some(shared_result(&page))
}

/// The result of `tools/list`. It borrows the schemas, because they are large.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Page<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    tools: Vec<Listed<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(flatten)]
    hints: Map<String, Value>,
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
    RpcError::invalid_params("`cursor` is not from this server; send a `nextCursor` of this list, or no cursor")
}
