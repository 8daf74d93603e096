//! An index of names.

use std::{borrow::Cow, collections::HashMap};

/// Maps names to numbers. All indexes of this module have this one type, because each further type would add another
/// copy of the map's code to the program.
#[derive(Debug, Default)]
pub(crate) struct NameIndex<'n>(HashMap<Cow<'n, str>, usize>);

impl<'n> NameIndex<'n> {
    /// Adds a name and its number. Returns whether the name is new.
    pub(crate) fn insert(&mut self, name: Cow<'n, str>, number: usize) -> bool {
        self.0.insert(name, number).is_none()
    }

    pub(crate) fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }
}
