//! Questions of a server to its client.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A question of a tool, as the client received it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub(crate) key: String,
    pub(crate) method: String,
    pub(crate) params: Value,
}

impl Question {
    pub(crate) fn new(key: String, method: String, params: Value) -> Self {
        let params = if params.is_null() { Map::new().into() } else { params };
        Self { key, method, params }
    }

    /// Whether the question goes to the user.
    pub(crate) fn is_elicitation(&self) -> bool {
        self.method == "elicitation/create"
    }

    /// Returns the URL of the page that the user is asked to open. `None` for a form, and for other questions.
    pub(crate) fn page(&self) -> Option<&str> {
        self.params["url"].as_str().filter(|_| self.params["mode"] == "url")
    }
}
