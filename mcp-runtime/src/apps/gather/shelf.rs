//! The items of all mounted servers in one list of this server.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{loaded::MountedItem, mounted::Mounted};
use crate::{
    base::report::report_limited,
    serve::server::{ListChanges, Service},
};

/// How often the list is changed to find the items that have problems. Each time can cost as much as the list is long.
const MOST_EDITS: usize = 1_000;

/// The items of all mounted servers in one list of this server.
pub(super) struct Shelf<I> {
    placed: HashMap<String, PlacedItem<I>>,
    /// The items that are left out, because an item of the same name was there before: the names of their servers, and why.
    pub(super) clashes: Vec<(String, String)>,
}

struct PlacedItem<I> {
    item: Arc<I>,
    mount: String,
    /// Why the list does not have the item.
    problem: Option<String>,
}

/// One change of the list.
struct Change<I> {
    name: String,
    /// `None` to remove the item.
    item: Option<(Arc<I>, String)>,
    is_listed: bool,
}

impl<I> Default for Shelf<I> {
    fn default() -> Self {
        Self { placed: HashMap::new(), clashes: Vec::new() }
    }
}

impl<I: MountedItem> Shelf<I> {
    /// Changes the list to the wanted items. Of two items with the same name, the first one is listed.
    pub(super) fn update<'a>(&mut self, service: &Service, wanted: impl Iterator<Item = (&'a Mounted, &'a Arc<I>)>) {
        let (mut names, mut changes, mut clashes) = (HashSet::new(), Vec::new(), Vec::new());
        for (mounted, item) in wanted {
            let (name, mount) = (item.name(), &mounted.name);
            if !names.insert(name.to_owned()) {
                clashes.push((mount.clone(), format!("`{name}` is left out: another mounted server has this name")));
                continue;
            }
            let before = self.placed.get(name);
            if before.is_none_or(|before| !Arc::ptr_eq(&before.item, item)) {
                let is_listed = before.is_some_and(|before| before.problem.is_none());
                changes.push(Change {
                    name: name.to_owned(),
                    item: Some((Arc::clone(item), mount.clone())),
                    is_listed,
                });
            }
        }
        let gone = self.placed.iter().filter(|(name, _)| !names.contains(*name));
        let gone = gone.map(|(name, placed)| (name.clone(), placed.problem.is_none()));
        let removed = gone.map(|(name, is_listed)| Change { name, item: None, is_listed });
        let changes: Vec<_> = removed.chain(changes).collect();
        for (mount, clash) in clashes.iter().filter(|clash| !self.clashes.contains(clash)) {
            report_limited!("mounted server `{mount}`: {clash}");
        }
        self.clashes = clashes;
        if changes.is_empty() {
            return;
        }
        let mut edits_left = MOST_EDITS;
        self.make(service, changes, &mut edits_left);
    }

    /// Makes changes of the list. If one of them has a problem, makes both halves of the changes alone.
    fn make(&mut self, service: &Service, mut changes: Vec<Change<I>>, edits_left: &mut usize) {
        let made = match edits_left.checked_sub(1) {
            Some(left) => {
                *edits_left = left;
                edit(service, &changes)
            }
            None => Err("too many items have problems".to_owned()),
        };
        let Err(problem) = made else {
            return changes.into_iter().for_each(|change| self.place(change, None));
        };
        if changes.len() > 1 && *edits_left > 0 {
            let rest = changes.split_off(changes.len() / 2);
            self.make(service, changes, edits_left);
            return self.make(service, rest, edits_left);
        }
        for change in changes {
            if let Some((_, mount)) = &change.item {
                report_limited!("mounted server `{mount}`: {problem}");
                // The listed item is not that of the server any more.
                let removed = Change { name: change.name.clone(), item: None, is_listed: change.is_listed };
                let _ = edit::<I>(service, &[removed]);
            }
            self.place(change, Some(problem.clone()));
        }
    }

    fn place(&mut self, Change { name, item, .. }: Change<I>, problem: Option<String>) {
        match item {
            Some((item, mount)) => drop(self.placed.insert(name, PlacedItem { item, mount, problem })),
            None => drop(self.placed.remove(&name)),
        }
    }
}

impl<I> Shelf<I> {
    /// Returns the number of listed items of a mounted server.
    pub(super) fn count(&self, mount: &str) -> usize {
        self.placed.values().filter(|placed| placed.mount == mount && placed.problem.is_none()).count()
    }

    /// Returns why items of a mounted server are left out.
    pub(super) fn problems(&self, mount: &str) -> Vec<String> {
        let placed = self.placed.values().filter(|placed| placed.mount == mount);
        let clashes = self.clashes.iter().filter(|(of, _)| of == mount).map(|(_, clash)| clash.clone());
        let mut problems: Vec<_> = placed.filter_map(|placed| placed.problem.clone()).chain(clashes).collect();
        problems.sort_unstable();
        problems
    }
}

/// Makes all changes of the list at once, or none.
///
/// # Errors
/// Returns the problems of the items.
fn edit<I: MountedItem>(service: &Service, changes: &[Change<I>]) -> Result<(), String> {
    let make = |list: &mut ListChanges<I::Kind>| {
        for Change { name, item, is_listed } in changes {
            match item {
                Some((item, _)) if *is_listed => list.replace_all([item.item()]),
                Some((item, _)) => list.add_all([item.item()]),
                None if *is_listed => list.remove(name.clone()),
                None => {}
            }
        }
    };
    service.list::<I::Kind>().edit(make).map_err(|error| error.to_string())
}
