//! An index of names.

use std::{borrow::Cow, collections::HashMap};

/// Maps names to numbers. All indexes of this module have this one type, because a program contains a copy of a map's
/// code for each type.
#[derive(Debug, Default)]
pub(super) struct NameIndex<'n>(HashMap<Cow<'n, str>, usize>);

impl<'n> NameIndex<'n> {
    /// Returns whether the name is new.
    pub(super) fn insert(&mut self, name: Cow<'n, str>, number: usize) -> bool {
        self.0.insert(name, number).is_none()
    }

    pub(super) fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }
}
