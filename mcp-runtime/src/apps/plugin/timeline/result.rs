//! The result of a call, as the event `finished` has it.

use std::{borrow::Cow, fmt, sync::Arc};

use memchr::memchr_iter;
use serde_json::value::RawValue;

use crate::wire::protocol::{
    json::json_of,
    scan::{NotJson, Scanner, read_string},
};

/// The result that a tool has returned: a `CallToolResult` of the protocol, kept as JSON text.
#[derive(Clone)]
pub struct PluginResult {
    /// The event `finished`. The result is its last member.
    event: Arc<str>,
    /// Where the result begins.
    at: usize,
}

impl PluginResult {
    /// The members before the result, after the id and the time of the event.
    pub(super) const MARKER: &str = r#""type":"finished","result":"#;

    /// Returns the result in this event, or `None` if the event has none.
    pub(crate) fn of_event(event: &Arc<str>) -> Option<Self> {
        // The members before it are two numbers.
        let kind = memchr_iter(b',', event.as_bytes()).nth(1)? + 1;
        let is_result = event[kind..].starts_with(Self::MARKER);
        is_result.then(|| Self { event: Arc::clone(event), at: kind + Self::MARKER.len() })
    }

    /// Returns the text for the model: the text blocks, one below the other.
    pub fn text(&self) -> String {
        let mut all: Option<String> = None;
        // The result is JSON, so nothing fails.
        let _ = Scanner::new(self.as_str()).object(|result, name| {
            if name != "content" {
                return result.value().map(drop);
            }
            let is_list = result.elements(|block| {
                match (text_of_block(block)?, &mut all) {
                    (Some(text), Some(all)) => {
                        all.push('\n');
                        all.push_str(&text);
                    }
                    (Some(text), none) => *none = Some(text.into_owned()),
                    (None, _) => {}
                }
                Ok(())
            });
            is_list.map(drop)
        });
        all.unwrap_or_default()
    }

    /// Returns the structured content, or `None` if the tool has none.
    pub fn structured_content(&self) -> Option<&RawValue> {
        self.member("structuredContent").map(json_of)
    }

    /// Returns `true` if the tool says that it has failed.
    pub fn is_error(&self) -> bool {
        self.member("isError") == Some("true")
    }

    /// Returns the whole result: an object with `content` and, if they are set, `structuredContent`, `isError` and
    /// `_meta`.
    pub fn json(&self) -> &RawValue {
        json_of(self.as_str())
    }

    /// Returns a member of the result as JSON text.
    fn member(&self, wanted: &str) -> Option<&str> {
        let mut found = None;
        let read = Scanner::new(self.as_str()).object(|result, name| {
            let value = result.value()?;
            if name == wanted {
                found = Some(value);
            }
            Ok(())
        });
        read.ok().and(found)
    }

    fn as_str(&self) -> &str {
        self.event.get(self.at..).and_then(|result| result.strip_suffix('}')).unwrap_or("null")
    }
}

/// Reads a block of content. Returns its text, if it is a text block.
fn text_of_block<'a>(block: &mut Scanner<'a>) -> Result<Option<Cow<'a, str>>, NotJson> {
    let (mut kind, mut text) = ("", None);
    block.object(|block, name| {
        let value = block.value()?;
        match &*name {
            "type" => kind = value,
            "text" => text = read_string(value),
            _ => {}
        }
        Ok(())
    })?;
    Ok(text.filter(|_| kind == r#""text""#))
}

impl PartialEq for PluginResult {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl fmt::Debug for PluginResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PluginResult").field(&self.as_str()).finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn result(value: &Value) -> PluginResult {
        let event = format!(r#"{{"id":2,"at":7,"type":"finished","result":{value}}}"#);
        PluginResult::of_event(&event.into()).unwrap()
    }

    #[test]
    fn the_text_of_a_result_is_that_of_its_text_blocks() {
        let blocks = json!([
            { "type": "text", "text": "a \"b\"" },
            { "type": "resource", "resource": { "uri": "x:y", "text": "hidden" }, "text": "hidden" },
            { "text": "", "type": "text", "annotations": { "priority": 1 } },
            { "type": "text", "text": "c" },
        ]);
        assert_eq!(result(&json!({ "content": blocks })).text(), "a \"b\"\n\nc");
        assert_eq!(result(&json!({ "content": [] })).text(), "");
    }

    #[test]
    fn the_members_of_a_result_are_not_those_of_its_values() {
        let value = json!({
            "structuredContent": { "isError": true, "a": [1] },
            "content": [],
            "_meta": { "isError": true, "text": r#""type":"finished","result":"# },
        });
        let finished = result(&value);
        assert!(!finished.is_error());
        assert_eq!(finished.structured_content().unwrap().get(), r#"{"isError":true,"a":[1]}"#);
        assert_eq!(finished.json().get(), value.to_string());
        assert!(result(&json!({ "content": [], "isError": true })).is_error());
        assert_eq!(result(&json!({ "content": [] })).structured_content().map(RawValue::get), None);
    }
}
