//! Answers a page of `resources/list` that can contain resources of templates. The list functions of the templates can
//! return a different list to each caller.
//!
//! The list has one part for the resources with fixed URIs, and then one for each template. A page continues with the
//! next part until it is full.

use super::{
    ListRequest, ResourceEntry, ResourcePage,
    cache_hints::{CacheHints, CacheScope},
    methods::Resources,
    registered::ResourceTool,
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
    },
    serve::server::{
        Inner, ListPage,
        listing::{BAD_CURSOR, Viewer, page_number, write_cursor},
    },
    wire::protocol::{
        error::{CallRefusal, RpcError},
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
        let start = ListStart::read(cursor.as_deref()).ok_or_else(|| ArgumentsError::new(BAD_CURSOR))?;
        Ok(Box::pin(async move { Ok(CallToolResult::other(page(&call, start).await?)) }))
    }
}

/// The place where a page begins.
#[derive(Debug, PartialEq)]
pub(super) enum ListStart {
    /// The page with this number of the resources with fixed URIs.
    Fixed(usize),
    /// A place in the list of a template.
    Template(TemplatePlace),
}

/// The place of an entry in the lists of the templates. Written as text, the place is the cursor of the page that
/// begins with the entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TemplatePlace {
    /// The number of the template, from 1.
    part: usize,
    /// The number of entries to skip in a page that the template's list function returned.
    skipped: usize,
    /// The cursor that the list function returned.
    own: Option<String>,
}

impl ListStart {
    /// Reads a cursor. Returns `None` if the cursor is not from this server.
    pub(super) fn read(cursor: Option<&str>) -> Option<Self> {
        let place = cursor.and_then(TemplatePlace::read).map(Self::Template);
        place.or_else(|| page_number(cursor).map(Self::Fixed))
    }
}

impl TemplatePlace {
    fn read(cursor: &str) -> Option<Self> {
        let (numbers, own) = match cursor.split_once('~') {
            Some((numbers, own)) => (numbers, Some(own.to_owned())),
            None => (cursor, None),
        };
        let (part, skipped) = numbers.split_once('-')?;
        let place = Self { part: part.parse().ok()?, skipped: skipped.parse().ok()?, own };
        // Accepts only the exact text that this server writes.
        (place.part > 0 && place.write() == cursor).then_some(place)
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
async fn page(call: &Call, start: ListStart) -> Result<ListResourcesPage, ToolError> {
    let server: &Inner = call.0.server.get().expect("the host of a call is the server");
    let resources = server.extensions.get::<Resources>().expect("the method belongs to this extension");
    // The list can change while an author's function runs.
    let index = resources.index(&server.registry.read());
    let (client, principal) = (call.0.client(), call.0.principal());
    let viewer = Viewer::new(server, &client, principal.as_ref(), call.0.is_remote);
    let (revision, room, ttl) = (call.0.revision, server.settings.page_size, server.ttl_of(Operation::ReadResource));
    let mut page = ListResourcesPage::default();
    let start = match start {
        ListStart::Template(place) => place,
        ListStart::Fixed(number) => {
            let fixed = resources.fixed(&index);
            let scope = if viewer.is_private(fixed.items) { CacheScope::Private } else { CacheScope::Public };
            page.depends_on(CacheHints { ttl, scope });
            let shown = fixed.page(server, &viewer, number);
            let shown = shown.ok_or_else(|| CallRefusal(RpcError::invalid_params(BAD_CURSOR)))?;
            let (is_last, count) = (shown.is_last, shown.count);
            (page.fixed, page.count) = (Some(shown), count);
            if !is_last {
                return Ok(page.continued_at(write_cursor(number + 1)));
            }
            TemplatePlace::default()
        }
    };
    let listers = index.listers.iter().filter(|tool| viewer.sees(tool));
    let listers = listers.filter_map(|tool| Some((tool, ResourceTool::of(tool)?)));
    for (part, (tool, resource)) in (1..).zip(listers).skip(start.part.saturating_sub(1)) {
        let at = if part == start.part { start.clone() } else { TemplatePlace { part, ..TemplatePlace::default() } };
        let Some(template) = resource.template.clone() else { continue };
        // The list of a template runs the author's code and reveals URIs, so it needs the template's scopes.
        if !tool.definition.scopes.is_empty() {
            page.depends_on(CacheHints { ttl, scope: CacheScope::Private });
            if tool.check_granted_to(&call.0).is_err() {
                continue;
            }
        }
        let request = ListRequest { call: call.clone(), template, cursor: at.own.clone() };
        let Some(listing) = resource.list(request) else { continue };
        let left = room - page.count;
        if left == 0 {
            return Ok(page.continued_at(at.write()));
        }
        let ResourcePage { entries, next_cursor, cache } = listing.await?;
        page.depends_on(cache);
        for entry in entries.iter().skip(at.skipped).take(left) {
            page.add(resource, entry, revision);
        }
        // A client can change the number in its cursor.
        let skipped = at.skipped.saturating_add(left);
        if skipped < entries.len() {
            return Ok(page.continued_at(TemplatePlace { skipped, ..at }.write()));
        }
        if next_cursor.is_some() {
            return Ok(page.continued_at(TemplatePlace { part, skipped: 0, own: next_cursor }.write()));
        }
    }
    Ok(page)
}

/// The result of `resources/list`.
#[derive(Debug, Default)]
struct ListResourcesPage {
    /// The resources with fixed URIs.
    fixed: Option<ListPage>,
    /// The JSON of the resources that templates list, with commas between them.
    of_templates: Vec<u8>,
    /// The number of all resources on this page.
    count: usize,
    /// The cursor of the next page.
    next: Option<String>,
    cache: Option<CacheHints>,
}

impl ListResourcesPage {
    /// Restricts the caching of this page to what one of its parts allows.
    fn depends_on(&mut self, cache: CacheHints) {
        self.cache = Some(self.cache.map_or(cache, |earlier| earlier.and(cache)));
    }

    /// Adds a resource that a template lists.
    fn add(&mut self, template: &ResourceTool, entry: &ResourceEntry, revision: Revision) {
        if !self.of_templates.is_empty() {
            self.of_templates.push(b',');
        }
        push_json(&mut self.of_templates, &template.listed_entry(entry, revision));
        self.count += 1;
    }

    fn continued_at(mut self, cursor: String) -> Self {
        self.next = Some(cursor);
        self
    }
}

impl OtherResult for ListResourcesPage {
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str) {
        let fixed = self.fixed.as_ref().map_or(&[][..], ListPage::items);
        push_other_result(out, None, revision, server_info, |out| {
            if revision.is_modern() {
                self.cache.unwrap_or_default().push(out);
            }
            out.extend_from_slice(br#""resources":["#);
            out.extend_from_slice(fixed);
            if !fixed.is_empty() && !self.of_templates.is_empty() {
                out.push(b',');
            }
            out.extend_from_slice(&self.of_templates);
            out.push(b']');
            if let Some(next) = &self.next {
                out.extend_from_slice(br#","nextCursor":"#);
                push_json_string(out, next);
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
            let place = TemplatePlace { part: 3, skipped: 250, own };
            assert_eq!(ListStart::read(Some(&place.write())), Some(ListStart::Template(place)));
        }
        assert_eq!(ListStart::read(None), Some(ListStart::Fixed(0)));
        assert_eq!(ListStart::read(Some(&write_cursor(3))), Some(ListStart::Fixed(3)));
        for text in ["", "1", "-", "1-", "+1-2", "01-2", "1-2-3", "page-", "page-0", "1--2", "0-1"] {
            assert_eq!(ListStart::read(Some(text)), None, "{text}");
        }
    }
}
