//! Answers `resources/list` of a server with templates. The list functions of the templates can return a different list
//! to each caller.
//!
//! The list has one part for the resources with fixed URIs, and then one for each template. A page continues with the
//! next part until it is full.

use serde_json::{Value, json};

use super::{
    ListRequest, ResourcePage,
    cache_hints::{CacheHints, CacheScope},
    registered::ResourceTool,
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
    },
    serve::server::{
        Inner,
        listing::{BAD_CURSOR, Viewer},
    },
    wire::protocol::{
        frame::push_json,
        result::{CallToolResult, OtherResult, push_other_result},
        revision::Revision,
        text::push_json_string,
    },
};

/// Lists the resources of a server. It runs like a tool.
pub(super) struct ListTool;

impl Tool for ListTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::of_method(Operation::ListResources)
    }

    fn call(&self, call: Call, cursor: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let cursor: Option<String> = cursor.read()?;
        let place = match &cursor {
            Some(cursor) => ListPlace::read(cursor).ok_or_else(|| ArgumentsError::new(BAD_CURSOR))?,
            None => ListPlace::default(),
        };
        Ok(Box::pin(async move { Ok(CallToolResult::other(page(&call, place).await?)) }))
    }
}

/// The place of the first entry of a page. Written as text, the place is the cursor of that page.
#[derive(Clone, Debug, Default, PartialEq)]
struct ListPlace {
    /// The part of the list: 0 for the resources with fixed URIs, 1 for the first template, and so on.
    part: usize,
    /// The number of entries to skip, in the part or in a page that the part's list function returned.
    skipped: usize,
    /// The cursor that the list function returned.
    own: Option<String>,
}

impl ListPlace {
    fn read(cursor: &str) -> Option<Self> {
        let (numbers, own) = match cursor.split_once('~') {
            Some((numbers, own)) => (numbers, Some(own.to_owned())),
            None => (cursor, None),
        };
        let (part, skipped) = numbers.split_once('-')?;
        let place = Self { part: part.parse().ok()?, skipped: skipped.parse().ok()?, own };
        // Accepts only the exact text that this server writes.
        (place.write() == cursor).then_some(place)
    }

    fn write(&self) -> String {
        let Self { part, skipped, own } = self;
        match own {
            Some(own) => format!("{part}-{skipped}~{own}"),
            None => format!("{part}-{skipped}"),
        }
    }
}

/// Returns the page that begins at this place.
async fn page(call: &Call, start: ListPlace) -> Result<ListResourcesPage, ToolError> {
    let server: &Inner = call.0.server.get().expect("the host of a call is the server");
    let (revision, room) = (call.0.revision, server.settings.page_size);
    let client = call.0.client();
    // A copy, because the list can change while an author's function runs.
    let list = server.registry.read().list(Operation::ReadResource).clone();
    let principal = call.0.principal();
    let viewer = Viewer::new(server, &client, principal.as_ref(), call.0.is_remote());
    let tools = || list.iter().filter(|tool| viewer.sees(tool));
    let ttl = server.ttl_of(Operation::ReadResource);
    let mut page = ListResourcesPage::default();
    if start.part == 0 {
        let fixed =
            || tools().filter_map(|tool| Some((tool, ResourceTool::of(tool)?))).filter(|(_, r)| r.template.is_none());
        let shown = fixed().skip(start.skipped).take(room);
        page.resources.extend(shown.map(|(_, resource)| json!(resource.listed(revision))));
        let all = list.iter().filter(|tool| ResourceTool::of(tool).is_some_and(|resource| resource.template.is_none()));
        let scope = if viewer.is_private(all) { CacheScope::Private } else { CacheScope::Public };
        page.depends_on(CacheHints { ttl, scope });
        let skipped = start.skipped + page.resources.len();
        if fixed().nth(skipped).is_some() {
            return Ok(page.continued_at(ListPlace { part: 0, skipped, own: None }));
        }
    }
    let templates = tools().filter_map(|tool| Some((tool, ResourceTool::of(tool)?)));
    for (part, (tool, resource)) in
        (1..).zip(templates.filter(|(_, resource)| resource.template.is_some())).skip(start.part.saturating_sub(1))
    {
        let ListPlace { skipped, own, .. } = if part == start.part { start.clone() } else { ListPlace::default() };
        let Some(template) = resource.template.clone() else { continue };
        // The list of a template runs the author's code and reveals URIs, so it needs the template's scopes.
        if !tool.definition.scopes.is_empty() {
            page.depends_on(CacheHints { ttl, scope: CacheScope::Private });
            if tool.check_granted_to(&call.0).is_err() {
                continue;
            }
        }
        let request = ListRequest { call: call.clone(), template, cursor: own.clone() };
        let Some(listing) = resource.list(request) else { continue };
        let left = room - page.resources.len();
        if left == 0 {
            return Ok(page.continued_at(ListPlace { part, skipped, own }));
        }
        let ResourcePage { entries, next_cursor, cache } = listing.await?;
        page.depends_on(cache);
        let shown = entries.iter().skip(skipped).take(left);
        page.resources.extend(shown.map(|entry| json!(resource.listed_entry(entry, revision))));
        // A client can change the number in its cursor.
        let skipped = skipped.saturating_add(left);
        if skipped < entries.len() {
            return Ok(page.continued_at(ListPlace { part, skipped, own }));
        }
        if next_cursor.is_some() {
            return Ok(page.continued_at(ListPlace { part, skipped: 0, own: next_cursor }));
        }
    }
    Ok(page)
}

/// The result of `resources/list`.
#[derive(Debug, Default)]
struct ListResourcesPage {
    resources: Vec<Value>,
    next: Option<ListPlace>,
    cache: Option<CacheHints>,
}

impl ListResourcesPage {
    /// Restricts the caching of this page to what one of its parts allows.
    fn depends_on(&mut self, cache: CacheHints) {
        self.cache = Some(self.cache.map_or(cache, |earlier| earlier.and(cache)));
    }

    fn continued_at(mut self, place: ListPlace) -> Self {
        self.next = Some(place);
        self
    }
}

impl OtherResult for ListResourcesPage {
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str) {
        push_other_result(out, None, revision, server_info, |out| {
            if revision.is_modern() {
                self.cache.unwrap_or_default().push(out);
            }
            out.extend_from_slice(br#""resources":"#);
            push_json(out, &self.resources);
            if let Some(next) = &self.next {
                out.extend_from_slice(br#","nextCursor":"#);
                push_json_string(out, &next.write());
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_only_cursors_that_it_writes() {
        for own in [None, Some(String::new()), Some("a~1-2".to_owned())] {
            let place = ListPlace { part: 3, skipped: 250, own };
            assert_eq!(ListPlace::read(&place.write()), Some(place));
        }
        for text in ["", "1", "-", "1-", "+1-2", "01-2", "1-2-3", "page-1", "1--2"] {
            assert_eq!(ListPlace::read(text), None, "{text}");
        }
    }
}
