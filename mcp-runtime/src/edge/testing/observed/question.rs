//! What a test can read from a question.

use std::fmt;

use serde_json::Value;

use crate::serve::client::Question;

impl Question {
    /// Returns the question's key, which is unique in the call. It is the form's key or a key that the tool chose.
    ///
    /// Since 2026-07-28, the protocol transmits the key. In older revisions, the test client gets the key directly from
    /// the server, if the server runs in the test's own process. Otherwise, this method returns the id of the
    /// question's request.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the protocol's method: `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Returns the message to the user or the last text to the model. Returns an empty text if there is neither.
    pub fn message(&self) -> &str {
        let said = if self.is_sampling() { self.texts().last() } else { self.params["message"].as_str() };
        said.unwrap_or_default()
    }

    /// Returns all texts of the conversation with a model, in order, including the results of tool calls.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        fn of<'a>(block: &'a Value, found: &mut Vec<&'a str>) {
            found.extend(block["text"].as_str());
            blocks(&block["content"]).iter().for_each(|block| of(block, found));
        }
        let mut found = Vec::new();
        blocks(&self.params["messages"]).iter().for_each(|message| of(message, &mut found));
        found.into_iter()
    }

    /// Returns the names of the tools that the model may call.
    pub fn tools(&self) -> Vec<&str> {
        blocks(&self.params["tools"]).iter().filter_map(|tool| tool["name"].as_str()).collect()
    }

    /// Returns the schema of the form.
    pub fn schema(&self) -> Option<&Value> {
        self.params.get("requestedSchema")
    }

    /// Returns the URL of the page that the user is asked to open.
    pub fn url(&self) -> Option<&str> {
        self.page()
    }

    /// Returns all parameters.
    pub fn params(&self) -> &Value {
        &self.params
    }

    pub(crate) fn is_sampling(&self) -> bool {
        self.method == "sampling/createMessage"
    }

    /// Returns a short description of the question's kind.
    pub(crate) fn kind(&self) -> String {
        if self.url().is_some() { "a page to visit".to_owned() } else { self.method.clone() }
    }

    /// Returns the names of the methods with which a script can answer the question.
    pub(crate) fn possible_answers(&self) -> &'static str {
        match &*self.method {
            "elicitation/create" if self.url().is_some() => "`visit`, `decline` or `cancel`",
            "elicitation/create" => "`accept`, `decline` or `cancel`",
            "sampling/createMessage" => "`sampled`, `sampled_value` or `sampled_tool`",
            "roots/list" => "`roots`",
            _ => "`answer`",
        }
    }

    /// Whether a field of the form accepts several choices.
    pub(crate) fn has_lists(&self) -> bool {
        let properties = self.schema().and_then(|schema| schema["properties"].as_object());
        properties.is_some_and(|properties| properties.values().any(|field| field["type"] == "array"))
    }

    /// Returns the names of the form's fields.
    pub(crate) fn fields(&self) -> Vec<&str> {
        let properties = self.schema().and_then(|schema| schema["properties"].as_object());
        properties.map(|properties| properties.keys().map(String::as_str).collect()).unwrap_or_default()
    }
}

/// Returns content as a list of blocks. Content that is a single block becomes a list of one.
fn blocks(content: &Value) -> &[Value] {
    match content {
        Value::Array(blocks) => blocks,
        Value::Null => &[],
        block => std::slice::from_ref(block),
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({}", self.key, self.method)?;
        if !self.message().is_empty() {
            write!(f, ": {:?}", self.message())?;
        }
        f.write_str(")")
    }
}
