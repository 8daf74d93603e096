//! Creates `ElicitResult`s, the answers of a user.

use serde_json::{Map, Value};

use crate::protocol::json::object;

/// The user filled in the form.
pub(super) fn accept_form(content: Map<String, Value>) -> Value {
    object([("action", "accept".into()), ("content", content.into())])
}

/// The user agreed to open the page.
pub(super) fn accept_page() -> Value {
    object([("action", "accept".into())])
}

/// The user gave no answer. The `action` is `decline` or `cancel`.
pub(super) fn refuse(action: &str) -> Value {
    object([("action", action.into())])
}
