//! Changes of the lists of a running server.

use std::sync::Arc;

use crate::{
    engine::{
        call::operation::Operation,
        tool::{
            Tool, host_warnings,
            registered::{ItemSettings, RegisteredTool},
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
    pub(super) fn map<R>(self, convert: impl FnOnce(T) -> R) -> ItemChange<R> {
        match self {
            Self::Add(item) => ItemChange::Add(convert(item)),
            Self::Replace(item) => ItemChange::Replace(convert(item)),
            Self::Remove(name) => ItemChange::Remove(name),
        }
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
        let checked: Vec<_> =
            changes.into_iter().filter_map(|change| self.checked(change, checks, &mut problems)).collect();
        if !problems.is_empty() {
            return Err(failed(problems));
        }
        self.begin_changes(&checked);
        // Removed items are dropped at the end, without the lock: their destructors are the author's code.
        let (has_changed, removed) =
            self.registry.change(|registry| applied(registry, operation, &checked, checks)).map_err(failed)?;
        if has_changed && let Some(topic) = Topic::of_list(operation) {
            self.extensions.get_or_add(Subscriptions::default).change(&topic);
        }
        Ok(!removed.is_empty())
    }

    fn checked(&self, change: ItemChange, checks: &ItemChecks, problems: &mut Vec<String>) -> Option<CheckedChange> {
        let mut registered = |tool| {
            let done_by_server = self.sampling.instead_of_clients();
            let settings = ItemSettings { states: &self.states, input: self.input, done_by_server };
            let tool = RegisteredTool::new(tool, settings, problems)?;
            (checks.item)(&tool, problems);
            Some(Arc::new(tool))
        };
        Some(match change {
            ItemChange::Add(tool) => CheckedChange::Add(registered(tool)?),
            ItemChange::Replace(tool) => CheckedChange::Replace(registered(tool)?),
            ItemChange::Remove(name) => CheckedChange::Remove(name),
        })
    }

    /// Prepares the server for calls of new items.
    fn begin_changes(&self, changes: &[CheckedChange]) {
        let new_tools = changes.iter().filter_map(CheckedChange::new_item).map(|item| &**item);
        let new_tools = new_tools.filter(|item| item.is_tool());
        host_warnings::of(new_tools).iter().for_each(|warning| crate::report!("{warning}"));
        let is_shared = self.durable.ledger.as_ref().is_some_and(|ledger| ledger.is_shared());
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

/// Makes all changes, or none. Returns whether the registry has changed, and the items that were replaced or removed.
fn applied(
    registry: &mut Registry,
    operation: Operation,
    changes: &[CheckedChange],
    checks: &ItemChecks,
) -> Result<(bool, Removed), Vec<String>> {
    let mut removed = Vec::new();
    if let [change] = changes
        && change.new_item().is_none_or(|item| (checks.fits)(registry, item))
    {
        // A single change needs no copy of the registry.
        let has_changed = apply_one(registry, operation, change, &mut removed).map_err(|problem| vec![problem])?;
        return Ok((has_changed, removed));
    }
    let (mut next, mut has_changed, mut problems) = (registry.clone(), false, Vec::new());
    for change in changes {
        match apply_one(&mut next, operation, change, &mut removed) {
            Ok(changed) => has_changed |= changed,
            Err(problem) => problems.push(problem),
        }
    }
    (checks.list)(&next, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    *registry = next;
    Ok((has_changed, removed))
}

fn apply_one(
    registry: &mut Registry,
    operation: Operation,
    change: &CheckedChange,
    removed: &mut Removed,
) -> Result<bool, String> {
    let before = match change {
        CheckedChange::Add(item) => {
            return registry.add(item).map(|()| true).map_err(|NameTaken| {
                let noun = item.definition.operation.noun();
                format!(
                    "{}: the service already has a {noun} of this name; replace it with `replace`, or choose another \
                     name",
                    item.described()
                )
            });
        }
        CheckedChange::Replace(item) => {
            removed.extend(registry.replace(item));
            return Ok(true);
        }
        CheckedChange::Remove(name) => registry.remove(operation, name),
    };
    let has_changed = before.is_some();
    removed.extend(before);
    Ok(has_changed)
}
