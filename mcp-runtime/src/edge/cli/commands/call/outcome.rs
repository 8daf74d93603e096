//! Shows the result of a call on standard output.

use std::process::ExitCode;

use serde_json::{Value, value::RawValue};

use super::read_json;
use crate::{
    edge::cli::commands::{
        REFUSED,
        pretty::pretty,
        terminal::{print, tell},
    },
    engine::tool::registered::{RegisteredTool, invalid_arguments},
};

/// A `CallToolResult`.
struct ReadResult {
    content: Vec<Value>,
    structured: Value,
    is_error: bool,
}

/// Writes the result, as JSON or as text for people. The message of a failed call goes to standard error.
pub(super) fn show(result: &RawValue, tool: &RegisteredTool, json: bool) -> ExitCode {
    let outcome = ReadResult::new(read_json(result));
    let code = match outcome.is_error {
        true if outcome.refuses_arguments(&tool.definition.name) => ExitCode::from(REFUSED),
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    };
    if json {
        return print(&format!("{}\n", result.get()), code);
    }
    if outcome.is_error {
        tell(format_args!("error: {}", outcome.to_text().trim_end()));
        return code;
    }
    print(&outcome.to_text(), code)
}

impl ReadResult {
    fn new(mut result: Value) -> Self {
        let content = match result["content"].take() {
            Value::Array(content) => content,
            _ => Vec::new(),
        };
        Self { content, structured: result["structuredContent"].take(), is_error: result["isError"] == true }
    }

    /// Whether the tool did not run, because its types rejected arguments that the schema allows.
    fn refuses_arguments(&self, tool: &str) -> bool {
        let text = self.content.first().and_then(text_of);
        text.is_some_and(|text| text.starts_with(&invalid_arguments(tool, &"")))
    }

    /// Formats each block on its own lines. Adds the structured content if there is no text. If the only text repeats
    /// the structured content, shows only the structured content.
    fn to_text(&self) -> String {
        let mut lines: Vec<String> = self.content.iter().map(in_words).collect();
        let structured = &self.structured;
        if !structured.is_null() {
            let mut texts = self.content.iter().filter_map(text_of);
            match (texts.next(), texts.next()) {
                (None, _) => lines.push(pretty(structured)),
                (Some(text), None) if serde_json::from_str(text).is_ok_and(|mirror: Value| mirror == *structured) => {
                    let mirror = self.content.iter().position(|block| text_of(block).is_some());
                    lines[mirror.unwrap_or(0)] = pretty(structured);
                }
                _ => {}
            }
        }
        lines.into_iter().map(with_newline).collect()
    }
}

fn text_of(block: &Value) -> Option<&str> {
    block["text"].as_str()
}

/// Returns the text with a line feed at its end.
pub(super) fn with_newline(text: String) -> String {
    if text.ends_with('\n') { text } else { text + "\n" }
}

/// Returns the text of a text block, or a note that describes a block of another type.
pub(super) fn in_words(block: &Value) -> String {
    let member = |block: &Value, name: &str| block[name].as_str().unwrap_or_default().to_owned();
    match &*member(block, "type") {
        "text" => member(block, "text"),
        "image" | "audio" => format!("[{}, {}]", member(block, "mimeType"), size(decoded(&member(block, "data")))),
        "resource_link" => format!("[{}: {}]", member(block, "name"), member(block, "uri")),
        "resource" => {
            let resource = &block["resource"];
            let mime_type = resource["mimeType"].as_str().map(|mime_type| format!(", {mime_type}")).unwrap_or_default();
            let bytes = text_of(resource).map_or_else(|| decoded(&member(resource, "blob")), str::len);
            format!("[{}{mime_type}, {}]", member(resource, "uri"), size(bytes))
        }
        _ => "[content of an unknown type]".to_owned(),
    }
}

/// Returns the decoded size of a base64 text, in bytes.
fn decoded(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

pub(super) fn size(bytes: usize) -> String {
    const UNITS: [&str; 3] = ["KB", "MB", "GB"];
    let mut size = bytes as f64;
    let mut unit = "bytes";
    for larger in UNITS {
        if size < 1000.0 {
            break;
        }
        size /= 1000.0;
        unit = larger;
    }
    if size < 10.0 && unit != "bytes" { format!("{size:.1} {unit}") } else { format!("{size:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(result: Value) -> String {
        ReadResult::new(result).to_text()
    }

    #[test]
    fn shows_text_unchanged() {
        assert_eq!(text(json!({ "content": [{ "type": "text", "text": "a\nb\n" }] })), "a\nb\n");
        assert_eq!(text(json!({ "content": [] })), "");
    }

    #[test]
    fn shows_structured_content_once() {
        let mirror =
            |text: &str| json!({ "content": [{ "type": "text", "text": text }], "structuredContent": { "n": 1 } });
        assert_eq!(text(mirror(r#"{ "n": 1 }"#)), "{ \"n\": 1 }\n");
        assert_eq!(text(mirror("one")), "one\n");
        assert_eq!(text(json!({ "content": [], "structuredContent": [1] })), "[1]\n");
    }

    #[test]
    fn shows_a_note_for_content_that_is_not_text() {
        let content = json!([
            { "type": "image", "mimeType": "image/png", "data": "A".repeat(16_000) },
            { "type": "resource_link", "uri": "file:///a", "name": "a" },
            { "type": "resource", "resource": { "uri": "file:///b", "mimeType": "text/plain", "text": "bytes" } },
            { "type": "hologram" },
        ]);
        assert_eq!(
            text(json!({ "content": content })),
            "[image/png, 12 KB]\n[a: file:///a]\n[file:///b, text/plain, 5 bytes]\n[content of an unknown type]\n"
        );
    }
}
