//! Shows the result of a call on standard output.

use std::process::ExitCode;

use serde_json::{Value, value::RawValue};

use crate::{
    edge::cli::{
        exit::REFUSED,
        terminal::{
            content::{in_words, read_json, text_of, with_newline},
            print, print_json, tell,
        },
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
pub(crate) fn show(result: &RawValue, tool: &RegisteredTool, json: bool) -> ExitCode {
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
                (None, _) => lines.push(format!("{structured:#}")),
                (Some(text), None) if serde_json::from_str(text).is_ok_and(|mirror: Value| mirror == *structured) => {
                    let mirror = self.content.iter().position(|block| text_of(block).is_some());
                    lines[mirror.unwrap_or(0)] = format!("{structured:#}");
                }
                _ => {}
            }
        }
        lines.into_iter().map(with_newline).collect()
    }
}

/// Writes the messages of a `GetPromptResult`, as JSON or as text for people.
pub(crate) fn show_messages(result: &RawValue, json: bool) -> ExitCode {
    if json {
        return print_json(result);
    }
    let prompt = read_json(result);
    print(&messages_in_words(prompt["messages"].as_array().map_or(&[], Vec::as_slice)), ExitCode::SUCCESS)
}

/// Shows each message below its role. A single message of the user is shown alone, so that it can be piped to a program.
fn messages_in_words(messages: &[Value]) -> String {
    let content = |message: &Value| with_newline(in_words(&message["content"]));
    match messages {
        [message] if message["role"] == "user" => content(message),
        messages => {
            let role = |message: &Value| message["role"].as_str().unwrap_or_default().to_owned();
            let shown = |message: &Value| format!("[{}]\n{}", role(message), content(message));
            messages.iter().map(shown).collect::<Vec<_>>().join("\n")
        }
    }
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
        assert_eq!(text(mirror(r#"{ "n": 1 }"#)), "{\n  \"n\": 1\n}\n");
        assert_eq!(text(mirror("one")), "one\n");
        assert_eq!(text(json!({ "content": [], "structuredContent": [1] })), "[\n  1\n]\n");
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
