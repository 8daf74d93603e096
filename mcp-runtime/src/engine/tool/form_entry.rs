//! A form of a tool, as its manifest lists it.

use serde_json::Value;

use crate::wire::protocol::json::object_of_some;

/// One form of a form set.
#[derive(Clone, Copy, Debug)]
pub struct FormEntry {
    pub(crate) key: &'static str,
    pub(crate) description: &'static str,
    /// Returns the form's schema in the newest revision.
    pub(crate) published: fn() -> Value,
}

impl FormEntry {
    /// Returns the form as the manifest shows it.
    pub(crate) fn to_json(self) -> Value {
        let description = Some(self.description).filter(|description| !description.is_empty());
        object_of_some([
            ("key", Some(self.key.into())),
            ("description", description.map(Value::from)),
            ("requestedSchema", Some((self.published)())),
        ])
    }
}
