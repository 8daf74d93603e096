//! The result of a call, as the event `finished` has it.

use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, OnceLock},
};

use memchr::memchr_iter;
use serde_json::value::RawValue;

use crate::wire::protocol::{
    content::{Block, Content},
    json::json_of,
    result::{CallToolResult, push_plain_result},
    scan::{NotJson, Scanner, read_string},
};

/// The result that a tool has returned: a `CallToolResult` of the protocol.
#[derive(Clone)]
pub struct PluginResult {
    kept: KeptResult,
    /// The JSON of a value, written when it is first read.
    json: OnceLock<Box<str>>,
}

/// A result as the timeline keeps it.
#[derive(Clone)]
enum KeptResult {
    Value(Arc<CallToolResult>),
    /// The event `finished` as JSON text. The result is its last member, and begins at this byte.
    Event(Arc<str>, usize),
}

/// The members before the result, after the id and the time of the event.
const MARKER: &str = r#""type":"finished","result":"#;

/// The most bytes of a result that is kept as a value. Its JSON can have six times as many, if every byte is escaped.
const SHORT: usize = 1024;

impl PluginResult {
    pub(super) fn of_value(result: Arc<CallToolResult>) -> Self {
        Self { kept: KeptResult::Value(result), json: OnceLock::new() }
    }

    /// Returns the result in this event, or `None` if the event has none.
    pub(super) fn of_event(event: &Arc<str>) -> Option<Self> {
        // The members before it are two numbers.
        let kind = memchr_iter(b',', event.as_bytes()).nth(1)? + 1;
        let is_result = event[kind..].starts_with(MARKER);
        let kept = || KeptResult::Event(Arc::clone(event), kind + MARKER.len());
        is_result.then(|| Self { kept: kept(), json: OnceLock::new() })
    }

    /// Returns the text for the model: the text blocks, one below the other.
    pub fn text(&self) -> String {
        match &self.kept {
            KeptResult::Value(result) => text_of_value(result),
            KeptResult::Event(..) => text_of_json(self.as_str()),
        }
    }

    /// Returns the structured content, or `None` if the tool has none.
    pub fn structured_content(&self) -> Option<&RawValue> {
        self.member("structuredContent").map(json_of)
    }

    /// Returns `true` if the tool says that it has failed.
    pub fn is_error(&self) -> bool {
        match &self.kept {
            KeptResult::Value(result) => result.is_error,
            KeptResult::Event(..) => self.member("isError") == Some("true"),
        }
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
        match &self.kept {
            KeptResult::Value(result) => self.json.get_or_init(|| {
                let mut json = Vec::with_capacity(256);
                push_plain_result(&mut json, result);
                // The bytes come from strings only.
                String::from_utf8(json).unwrap_or_default().into()
            }),
            KeptResult::Event(event, at) => {
                event.get(*at..).and_then(|result| result.strip_suffix('}')).unwrap_or("null")
            }
        }
    }
}

/// Returns how many bytes a result has as a value, or `None` if it is kept as text: a long one, and one that has more than
/// text and structured content.
pub(super) fn short_length(result: &CallToolResult) -> Option<usize> {
    let of_block = |block: &Content| match block {
        Content { block: Block::Text { text }, annotations: None, received: None } => Some(text.capacity()),
        _ => None,
    };
    let (blocks, copy) = (result.content.as_ref(), result.structured_block.get());
    let all = blocks.into_iter().flatten().chain(copy.map(|copy| &**copy));
    let length = all.map(of_block).sum::<Option<usize>>()?
        + blocks.map_or(0, |blocks| blocks.capacity() * size_of::<Content>())
        + result.structured.as_ref().map_or(0, String::capacity);
    (length <= SHORT && result.meta.is_none() && result.other.is_none()).then_some(length)
}

/// Appends the kind of the event `finished`. `push` appends the result.
pub(super) fn push_finished(out: &mut Vec<u8>, push: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'{');
    out.extend_from_slice(MARKER.as_bytes());
    push(out);
    out.push(b'}');
}

fn text_of_value(result: &CallToolResult) -> String {
    match &result.content {
        Some(blocks) => blocks.iter().filter_map(Content::as_text).collect::<Vec<_>>().join("\n"),
        None => result.structured.clone().unwrap_or_default(),
    }
}

fn text_of_json(result: &str) -> String {
    let mut all: Option<String> = None;
    // The result is JSON, so nothing fails.
    let _ = Scanner::new(result).object(|result, name| {
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

    #[test]
    fn a_result_is_the_same_as_a_value_and_as_json() {
        let results = [
            CallToolResult::default(),
            CallToolResult::error("no \"tea\"\n").with("more"),
            CallToolResult::json(&json!({ "word": "tea" })).unwrap(),
            CallToolResult::json(&json!({ "word": "tea" })).unwrap().with("more"),
        ];
        for value in results {
            assert!(short_length(&value).is_some(), "{value:?}");
            let value = PluginResult::of_value(Arc::new(value));
            let read = result(&serde_json::from_str(value.json().get()).unwrap());
            assert_eq!(value, read);
            assert_eq!((value.text(), value.is_error()), (read.text(), read.is_error()));
            let structured = |result: &PluginResult| result.structured_content().map(|json| json.get().to_owned());
            assert_eq!(structured(&value), structured(&read));
        }
    }

    #[test]
    fn only_a_short_result_of_text_is_kept_as_a_value() {
        let text = "x".repeat(SHORT);
        let image = Content::image(&text, "image/png");
        let mut roomy = String::with_capacity(2 * SHORT);
        roomy.push('x');
        for kept_as_json in [
            CallToolResult::error(&*text),
            CallToolResult::error(roomy),
            CallToolResult::new(vec![Content::text(""); SHORT]),
            CallToolResult::new([image]),
            CallToolResult::json(&text).unwrap(),
            CallToolResult::error("x").meta("key", "value"),
        ] {
            assert_eq!(short_length(&kept_as_json), None, "{kept_as_json:?}");
        }
    }

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
