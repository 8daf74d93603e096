//! The registry of a server's tools.

use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use super::{
    Tool,
    registered::{ItemSettings, RegisteredTool, unique_name},
};
use crate::{
    engine::call::{multi_round::MultiRound, operation::Operation},
    wire::protocol::capability::Capabilities,
};

/// All tools of a server, in the order in which the author added them. Prompts and other items that clients call are
/// registered like tools, because they run through the same engine.
#[derive(Clone, Default)]
pub(crate) struct Registry {
    /// One list for each kind of request that has items, such as the prompts. The tools come first.
    lists: Vec<(Operation, ItemList)>,
    /// The items by [unique name](RegisteredTool::unique_name).
    by_name: foldhash::HashMap<Box<str>, Arc<RegisteredTool>>,
}

/// All items that requests of one kind can call, for example all prompts.
#[derive(Clone, Default)]
pub(crate) struct ItemList {
    pub(crate) items: Vec<Arc<RegisteredTool>>,
    /// How often the list has changed since the server was built.
    pub(crate) version: u64,
    /// The capabilities that at least one item requires.
    pub(crate) requires: Capabilities,
    /// The scopes that at least one item requires.
    pub(crate) scopes: BTreeSet<Cow<'static, str>>,
}

/// The error for an item that has the same name as another item of its kind.
pub(crate) struct NameTaken;

impl Registry {
    /// Creates the registry. Checks each tool, and adds a message for the author to `problems` for each error. The
    /// tools include the items of other methods, such as prompts.
    pub(crate) fn new(tools: Vec<Box<dyn Tool>>, settings: ItemSettings<'_>, problems: &mut Vec<String>) -> Self {
        let mut registry = Self { lists: vec![(Operation::CallTool, ItemList::default())], ..Self::default() };
        for tool in tools {
            if let Some(tool) = RegisteredTool::new(tool, settings, problems).map(Arc::new)
                && registry.add(&tool).is_err()
            {
                problems.push(tool.name_taken());
            }
        }
        registry.begin_versions();
        registry
    }

    /// Counts the changes of the lists from now on, because the server is not built yet.
    pub(super) fn begin_versions(&mut self) {
        self.lists.iter_mut().for_each(|(_, list)| list.version = 0);
    }

    /// Returns the tool with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<RegisteredTool>> {
        self.by_name.get(name).filter(|tool| tool.is_tool())
    }

    /// Returns the item with this name that can be called by requests of this kind.
    pub(crate) fn find_other(&self, operation: Operation, name: &str) -> Option<&Arc<RegisteredTool>> {
        self.by_name.get(&*unique_name(operation, name))
    }

    /// Returns the tool at this position in the list of tools.
    pub(crate) fn tool_at(&self, position: usize) -> &Arc<RegisteredTool> {
        &self.list(Operation::CallTool).items[position]
    }

    /// Returns the items that can be called by requests of this kind.
    pub(crate) fn list(&self, operation: Operation) -> &ItemList {
        static NONE: ItemList =
            ItemList { items: Vec::new(), version: 0, requires: Capabilities::NONE, scopes: BTreeSet::new() };
        self.lists.iter().find(|(of, _)| *of == operation).map_or(&NONE, |(_, list)| list)
    }

    /// Returns the items that can be called by requests of this kind, in the order in which they were added.
    pub(crate) fn others(&self, operation: Operation) -> impl Iterator<Item = &RegisteredTool> + Clone {
        self.list(operation).iter()
    }

    /// Returns the tools.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &RegisteredTool> + Clone {
        self.others(Operation::CallTool)
    }

    /// Returns multi-round support, if at least one tool or other item can ask.
    pub(crate) fn multi_round(&self) -> Option<&'static dyn MultiRound> {
        self.all().find_map(|tool| tool.definition.multi_round)
    }

    /// Returns the [warnings](RegisteredTool::process_bound_warning) of all items.
    pub(crate) fn process_bound_warnings(&self) -> impl Iterator<Item = String> {
        self.all().filter_map(RegisteredTool::process_bound_warning)
    }

    /// Adds an item at the end of its list.
    ///
    /// # Errors
    /// Fails if another item of the same kind has this name.
    pub(crate) fn add(&mut self, item: &Arc<RegisteredTool>) -> Result<(), NameTaken> {
        if self.by_name.contains_key(&item.unique_name) {
            return Err(NameTaken);
        }
        self.by_name.insert(item.unique_name.clone(), Arc::clone(item));
        let list = self.list_mut(item.definition.operation);
        list.items.push(Arc::clone(item));
        list.requires = list.requires.union(item.requires);
        list.scopes.extend(item.definition.scopes.iter().cloned());
        list.version += 1;
        Ok(())
    }

    /// Replaces the item with the same name, and returns the old item. If no item has this name, adds the new item.
    pub(crate) fn replace(&mut self, item: &Arc<RegisteredTool>) -> Option<Arc<RegisteredTool>> {
        let Some(known) = self.by_name.get_mut(&item.unique_name) else {
            let _ = self.add(item);
            return None;
        };
        let before = std::mem::replace(known, Arc::clone(item));
        let list = self.list_mut(item.definition.operation);
        list.items.iter_mut().filter(|known| Arc::ptr_eq(known, &before)).for_each(|known| *known = Arc::clone(item));
        list.changed();
        Some(before)
    }

    /// Removes the item with this name, and returns it.
    pub(crate) fn remove(&mut self, operation: Operation, name: &str) -> Option<Arc<RegisteredTool>> {
        let key = unique_name(operation, name);
        let item = self.by_name.get(&*key).filter(|item| item.definition.operation == operation)?.clone();
        self.by_name.remove(&*key);
        let list = self.list_mut(operation);
        list.items.retain(|known| !Arc::ptr_eq(known, &item));
        list.changed();
        Some(item)
    }

    /// Returns the tools and the items of all other methods.
    pub(crate) fn all(&self) -> impl Iterator<Item = &RegisteredTool> {
        self.lists.iter().flat_map(|(_, list)| list.iter())
    }

    fn list_mut(&mut self, operation: Operation) -> &mut ItemList {
        let index = self.lists.iter().position(|(of, _)| *of == operation).unwrap_or_else(|| {
            self.lists.push((operation, ItemList::default()));
            self.lists.len() - 1
        });
        &mut self.lists[index].1
    }
}

impl ItemList {
    /// Creates a part of a list. `version` is the version of the whole list.
    pub(crate) fn part(items: Vec<Arc<RegisteredTool>>, version: u64) -> Self {
        let mut list = Self { items, version, ..Self::default() };
        list.sum_up();
        list
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &RegisteredTool> + Clone {
        self.items.iter().map(|item| &**item)
    }

    fn changed(&mut self) {
        self.sum_up();
        self.version += 1;
    }

    /// Computes what the items require.
    fn sum_up(&mut self) {
        self.requires = self.items.iter().fold(Capabilities::NONE, |all, item| all.union(item.requires));
        self.scopes = self.items.iter().flat_map(|item| item.definition.scopes.iter().cloned()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "http")]
    use crate::wire::protocol::headers::ParamHeader;
    use crate::{
        Server,
        engine::{
            call::{Call, running::CallFuture},
            tool::{Arguments, ArgumentsError, ToolDefinition},
        },
        wire::protocol::capability::Capability,
    };

    struct Named(&'static str, fn(ToolDefinition) -> ToolDefinition);

    impl Tool for Named {
        fn definition(&self) -> ToolDefinition {
            self.1(ToolDefinition::new(self.0, "A tool."))
        }

        fn call(&self, _: Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
            unreachable!("the tests do not call it")
        }
    }

    #[test]
    fn build_warns_of_a_tool_that_asks_and_cannot_resume_in_another_process() {
        let server = Server::new("s", "1")
            .tool(Named("adds", |tool| tool))
            .tool(Named("asks", |tool| tool.requires(Capability::Roots)))
            .tool(Named("resumes", |tool| tool.requires(Capability::Roots).replayable()));
        let service = server.build().unwrap();
        let warnings: Vec<_> = service.0.registry.read().process_bound_warnings().collect();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("tool `asks`: it can ask"), "{warnings:?}");
    }

    #[cfg(feature = "http")]
    #[test]
    fn build_finds_header_arguments_and_rejects_one_of_an_invalid_type() {
        fn annotated(tool: ToolDefinition, ty: &str) -> ToolDefinition {
            let region = serde_json::json!({ "type": ty, "x-mcp-header": "Region" });
            tool.input_schema(serde_json::json!({ "type": "object", "properties": { "region": region } }))
        }
        let valid = Server::new("s", "1")
            .tool(Named("valid", |tool| annotated(tool, "string").alias("area", "region")))
            .build()
            .unwrap();
        let expected = ParamHeader::new("Region", vec![vec!["region".into(), "area".into()]]);
        assert_eq!(valid.0.registry.find("valid").unwrap().param_headers, [expected.unwrap()]);
        let invalid = Server::new("s", "1").tool(Named("invalid", |tool| annotated(tool, "number"))).build();
        let error = invalid.unwrap_err().to_string();
        assert!(
            error.contains("tool `invalid`: input schema: `region`: `x-mcp-header` needs exactly one `type`"),
            "{error}"
        );
    }
}
