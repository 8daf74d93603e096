//! A form of a tool, as its manifest lists it.

use serde_json::{Value, json};

/// One form of a set.
#[derive(Clone, Copy, Debug)]
pub struct FormEntry {
    pub(crate) key: &'static str,
    pub(crate) description: &'static str,
    /// Returns its schema in the newest revision.
    pub(crate) published: fn() -> Value,
}

impl FormEntry {
    /// Returns the form as the manifest shows it.
    pub(crate) fn to_json(self) -> Value {
        let mut entry = json!({ "key": self.key });
        if !self.description.is_empty() {
            entry["description"] = self.description.into();
        }
        entry["requestedSchema"] = (self.published)();
        entry
    }
}
