//! Remembers how well the parts of a value fit schemas, while the errors of the value are explained.
//!
//! In a recursive schema, each branch of a union can contain the same child. The explanation compares the branches at each
//! level, so without this its time would multiply at each level, and it would end at its limit.

use std::{collections::HashMap, ptr};

use super::report::CheckPurpose;
use crate::wire::schema::{compile::node::NodeId, value::instance::Instance};

/// The scores that are known. A value is known by its address, which stays the same while it is checked.
#[derive(Debug, Default)]
pub(crate) struct KnownScores(HashMap<(NodeId, usize, CheckPurpose), u32>);

impl KnownScores {
    /// The maximum number of scores. Large arguments have many parts.
    const MAX: usize = 1 << 16;

    pub(super) fn get(&self, id: NodeId, value: &Instance<'_>, purpose: CheckPurpose) -> Option<u32> {
        self.0.get(&(id, ptr::from_ref(value).addr(), purpose)).copied()
    }

    pub(super) fn add(&mut self, id: NodeId, value: &Instance<'_>, purpose: CheckPurpose, score: u32) {
        // A string can be the name of a member, whose address does not stay. Only containers take long to check.
        if !matches!(value, Instance::Array(_) | Instance::Object(_)) {
            return;
        }
        if self.0.len() >= Self::MAX {
            self.0.clear();
        }
        self.0.insert((id, ptr::from_ref(value).addr(), purpose), score);
    }
}
