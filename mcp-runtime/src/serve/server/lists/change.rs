//! Changes of the lists of a running server.

use std::sync::Arc;

use crate::{
    engine::{
        call::operation::Operation,
        tool::{
            Tool, host_warnings,
            registered::RegisteredTool,
            registry::{NameTaken, Registry},
        },
    },
    serve::server::{
        core::{build_error::BuildError, service::Inner},
        subscriptions::{Subscriptions, topic::Topic},
    },
};

/// One change of a list. The items of a list are tools, or items that the server runs like tools, such as prompts.
pub(crate) enum ItemChange<T = Box<dyn Tool>> {
    Add(T),
    Replace(T),
    Remove(String),
}

impl<T> ItemChange<T> {
    /// Converts the item. Returns `None` if `convert` does.
    pub(super) fn convert<R>(self, convert: impl FnOnce(T) -> Option<R>) -> Option<ItemChange<R>> {
        Some(match self {
            Self::Add(item) => ItemChange::Add(convert(item)?),
            Self::Replace(item) => ItemChange::Replace(convert(item)?),
            Self::Remove(name) => ItemChange::Remove(name),
        })
    }

    /// Returns the item that the change adds, also in place of another one.
    fn new_item(&self) -> Option<&T> {
        match self {
            Self::Add(item) | Self::Replace(item) => Some(item),
            Self::Remove(_) => None,
        }
    }
}

/// The checks that the registry does not do itself, for one kind of items. Each check adds a sentence to `problems` for
/// each problem that it finds.
pub(crate) struct ItemChecks {
    /// Checks one item.
    pub(crate) item: fn(&RegisteredTool, problems: &mut Vec<String>),
    /// Checks all items together. It must not run author code.
    pub(crate) list: fn(&Registry, problems: &mut Vec<String>),
    /// Returns whether `list` would find no problem with one new item. Used for a single change, because it is faster
    /// than `list`. It must not run author code.
    pub(crate) fits: fn(&Registry, new: &RegisteredTool) -> bool,
}

impl ItemChecks {
    pub(crate) const NONE: Self = Self { item: |_, _| {}, list: |_, _| {}, fits: |_, _| true };

    /// Checks all items of a server that is built.
    pub(crate) fn run(&self, registry: &Registry, operation: Operation, problems: &mut Vec<String>) {
        registry.others(operation).for_each(|item| (self.item)(item, problems));
        (self.list)(registry, problems);
    }
}

/// A change whose item was checked.
type CheckedChange = ItemChange<Arc<RegisteredTool>>;

impl Inner {
    /// Makes all of these changes at once, or none of them. Returns whether an item was replaced or removed.
    ///
    /// # Errors
    /// Returns all problems of the items: those that [`Server::build`] reports, and names that are already in use.
    pub(super) fn change_list(
        &self,
        operation: Operation,
        changes: Vec<ItemChange>,
        checks: &ItemChecks,
    ) -> Result<bool, BuildError> {
        let failed = |problems| BuildError::of_change(operation, problems);
        let mut problems = Vec::new();
        let mut registered = |tool| {
            let tool = RegisteredTool::new(tool, self.settings.of_items(), &mut problems)?;
            (checks.item)(&tool, &mut problems);
            Some(Arc::new(tool))
        };
        let checked: Vec<_> = changes.into_iter().filter_map(|change| change.convert(&mut registered)).collect();
        let views = self.new_views(&checked, &mut problems);
        if !problems.is_empty() {
            return Err(failed(problems));
        }
        self.begin_changes(&checked);
        // Removed items are dropped at the end, without the lock: their destructors are the author's code.
        let changed = self.registry.change(|registry| {
            let before = registry.list(operation).version;
            let removed = applied(registry, operation, &checked, checks)?;
            // The page of a view stays when its tool is removed, because a host may still show it.
            for view in &views {
                // Fails only if a change at the same time has added the same view.
                let _ = registry.add(view);
            }
            Ok((registry.list(operation).version != before, removed))
        });
        let (has_changed, removed) = changed.map_err(failed)?;
        if has_changed {
            self.extensions.get_or_add(Subscriptions::default).change(&Topic::List(operation));
        }
        if !views.is_empty() {
            self.extensions.get_or_add(Subscriptions::default).change(&Topic::List(Operation::ReadResource));
        }
        Ok(!removed.is_empty())
    }

    /// Returns the resources for those views of the new items that the server does not serve yet.
    fn new_views(&self, changes: &[CheckedChange], problems: &mut Vec<String>) -> Vec<Arc<RegisteredTool>> {
        let with_views = changes.iter().filter_map(CheckedChange::new_item).map(|item| &**item);
        let mut with_views = with_views.filter(|item| item.definition.views().next().is_some()).peekable();
        if with_views.peek().is_none() {
            return Vec::new();
        }
        // A copy, because the definition of a page can contain expressions of the author.
        let registry = self.registry.read().clone();
        registry.new_views(&mut with_views, &self.extensions, self.settings.of_items(), problems)
    }

    /// Prepares the server for calls of new items.
    fn begin_changes(&self, changes: &[CheckedChange]) {
        let new_tools = changes.iter().filter_map(CheckedChange::new_item).map(|item| &**item);
        let new_tools = new_tools.filter(|item| item.is_tool());
        host_warnings::of(new_tools).iter().for_each(|warning| crate::report!("{warning}"));
        let is_shared = self.durable.is_ledger_shared();
        for item in changes.iter().filter_map(CheckedChange::new_item) {
            if let Some(multi_round) = item.definition.multi_round {
                self.multi_round.get_or_init(|| multi_round);
            }
            if is_shared {
                item.process_bound_warning().into_iter().for_each(|warning| crate::report!("{warning}"));
            }
        }
    }
}

type Removed = Vec<Arc<RegisteredTool>>;

/// Makes all changes, or none. Returns the items that were replaced or removed.
fn applied(
    registry: &mut Registry,
    operation: Operation,
    changes: &[CheckedChange],
    checks: &ItemChecks,
) -> Result<Removed, Vec<String>> {
    let mut removed = Vec::new();
    if let [change] = changes
        && change.new_item().is_none_or(|item| (checks.fits)(registry, item))
    {
        // A single change needs no copy of the registry.
        apply_one(registry, operation, change, &mut removed).map_err(|problem| vec![problem])?;
        return Ok(removed);
    }
    let mut next = registry.clone();
    let mut problems = Vec::new();
    for change in changes {
        problems.extend(apply_one(&mut next, operation, change, &mut removed).err());
    }
    (checks.list)(&next, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    *registry = next;
    Ok(removed)
}

fn apply_one(
    registry: &mut Registry,
    operation: Operation,
    change: &CheckedChange,
    removed: &mut Removed,
) -> Result<(), String> {
    match change {
        CheckedChange::Add(item) => registry.add(item).map_err(|NameTaken| {
            let noun = item.definition.operation.noun();
            format!(
                "{}: the service already has a {noun} of this name; replace it with `replace`, or choose another name",
                item.described()
            )
        })?,
        CheckedChange::Replace(item) => removed.extend(registry.replace(item)),
        CheckedChange::Remove(name) => removed.extend(registry.remove(operation, name)),
    }
    Ok(())
}
