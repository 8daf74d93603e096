//! What a server with a search keeps: the list that clients see, and the index.

use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use super::{CALL_TOOL, SEARCH_TOOLS, index::SearchIndex, text::ToolText};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{Call, operation::Operation},
        tool::{
            registered::RegisteredTool,
            registry::{ItemList, Registry},
        },
    },
    serve::server::{BuiltParts, Extension, Inner, listing::Viewer},
    wire::schema::nearest::did_you_mean,
};

/// The extension of a server whose tools are searched.
#[derive(Default)]
pub(super) struct Searchable {
    /// How often the author has added a search.
    pub(super) searches: usize,
    pub(super) pinned: BTreeSet<Cow<'static, str>>,
    listed: Mutex<Option<Arc<ItemList>>>,
    indexed: Mutex<Option<Arc<IndexedTools>>>,
}

/// The tools of one version of the list, with their index.
pub(super) struct IndexedTools {
    version: u64,
    /// The tools that models can call, in the order of the list.
    pub(super) tools: Vec<Arc<RegisteredTool>>,
    pub(super) index: SearchIndex,
}

/// Returns the server of a call.
pub(super) fn server_of(call: &Call) -> &Inner {
    call.0.server.get().expect("a server runs the tools of the search")
}

/// Whether a search can return the tool to this caller.
pub(super) fn is_found(tool: &RegisteredTool, viewer: &Viewer<'_>) -> bool {
    !is_own(tool) && tool.definition.is_for_models() && viewer.sees(tool)
}

fn is_own(tool: &RegisteredTool) -> bool {
    [SEARCH_TOOLS, CALL_TOOL].contains(&&*tool.definition.name)
}

impl Searchable {
    /// Returns the extension of a server that has the tools of the search.
    pub(super) fn of(server: &Inner) -> Arc<Self> {
        server.extensions.get().expect("only `Server::searchable` adds the tools of the search")
    }

    /// Returns the index of the tools that the server has now. Creates it if the list has changed since the last search.
    pub(super) fn indexed(&self, server: &Inner) -> Arc<IndexedTools> {
        // The lock also keeps a second search from creating the same index.
        let mut indexed = self.indexed.lock();
        let (version, tools) = {
            let registry = server.registry.read();
            let list = registry.list(Operation::CallTool);
            match &*indexed {
                Some(indexed) if indexed.version == list.version => return Arc::clone(indexed),
                _ => (list.version, list.items.clone()),
            }
        };
        let tools: Vec<_> = tools.into_iter().filter(|tool| !is_own(tool) && tool.definition.is_for_models()).collect();
        let text = |tool: &Arc<RegisteredTool>| {
            ToolText::new(&tool.definition.name, &tool.definition.description, &tool.schema.to_value())
        };
        let index = SearchIndex::new(&tools.iter().map(text).collect::<Vec<_>>());
        Arc::clone(indexed.insert(Arc::new(IndexedTools { version, tools, index })))
    }

    /// Whether the tool stays in the list. Hosts look in the list for tools that only views call.
    fn stays(&self, tool: &RegisteredTool) -> bool {
        self.pinned.contains(&tool.definition.name) || !tool.definition.is_for_models()
    }
}

impl Extension for Searchable {
    fn complete(&mut self, server: &BuiltParts<'_>, problems: &mut Vec<String>) -> Option<Arc<dyn Extension>> {
        if self.searches > 1 {
            problems.push("`Server::searchable` was called more than once; pin all tools in one `Search`".to_owned());
        }
        if !server.tools_can_change {
            for name in self.pinned.iter().filter(|name| server.registry.find(name).is_none()) {
                let meant = did_you_mean(name, server.registry.iter().map(|tool| &*tool.definition.name));
                problems.push(format!(
                    "`Search::pin` names the tool `{}`, which the server does not have{meant}",
                    name.escape_debug()
                ));
            }
        }
        None
    }

    fn listed_tools(&self, registry: &Registry) -> Option<Arc<ItemList>> {
        let all = registry.list(Operation::CallTool);
        let mut listed = self.listed.lock();
        if let Some(listed) = listed.as_ref().filter(|listed| listed.version == all.version) {
            return Some(Arc::clone(listed));
        }
        let own = all.items.iter().filter(|tool| is_own(tool));
        let stay = all.items.iter().filter(|tool| !is_own(tool) && self.stays(tool));
        let part = ItemList::part(own.chain(stay).cloned().collect(), all.version);
        Some(Arc::clone(listed.insert(Arc::new(part))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Server, engine::tool::host_warnings, search::Search};

    #[test]
    fn every_host_shows_all_of_the_search() {
        let service = Server::new("s", "1").searchable(Search::new()).build().unwrap();
        let registry = service.0.registry.read();
        assert_eq!(registry.iter().count(), 2);
        assert_eq!(host_warnings::of(registry.iter()), [""; 0]);
    }

    #[test]
    fn the_index_is_created_once_for_each_version_of_the_list() {
        let service = Server::new("s", "1").searchable(Search::new()).build().unwrap();
        let searchable = Searchable::of(&service.0);
        let first = searchable.indexed(&service.0);
        assert!(Arc::ptr_eq(&first, &searchable.indexed(&service.0)));
        service.tools().remove(CALL_TOOL);
        assert!(!Arc::ptr_eq(&first, &searchable.indexed(&service.0)));
    }
}
