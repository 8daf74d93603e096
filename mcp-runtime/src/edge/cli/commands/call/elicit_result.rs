//! Creates `ElicitResult`s, the answers of a user.

use serde_json::{Map, Value};

use crate::wire::protocol::json::object;

/// Returns the result for a form that the user filled in.
pub(super) fn accept_form(content: Map<String, Value>) -> Value {
    object([("action", "accept".into()), ("content", content.into())])
}

/// Returns the result for a page that the user agreed to open.
pub(super) fn accept_page() -> Value {
    object([("action", "accept".into())])
}

/// Returns the result for a question that the user did not answer. The `action` is `decline` or `cancel`.
pub(super) fn refuse(action: &str) -> Value {
    object([("action", action.into())])
}
