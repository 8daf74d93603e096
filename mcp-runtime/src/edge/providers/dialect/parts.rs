//! Conversions of message parts that several APIs need.

use serde_json::Value;

use crate::engine::sample::{SamplingContent, SamplingMessage, ToolResult};

/// The text and the media of a tool result.
pub(super) struct ResultText {
    pub(super) text: String,
    pub(super) media: Vec<SamplingContent>,
}

pub(super) fn result_text(result: &ToolResult) -> ResultText {
    let parts = result.content.iter().cloned().map(SamplingContent::from);
    let (texts, media): (Vec<_>, Vec<_>) = parts.partition(|part| part.as_text().is_some());
    let text = match &result.structured_content {
        // If there is content too, its text usually repeats the structured result.
        Some(structured) if result.content.is_empty() => structured.to_string(),
        _ => joined(&texts),
    };
    ResultText { text, media }
}

/// Adds a separate message for each tool result of `message`, and returns the other parts. `to_message` gets a result and
/// its text, which begins with `Error:` if the call failed, because these APIs have no field for failures. Their tool
/// messages contain only text, so media of a result follow as parts of the user.
pub(super) fn split_results(
    message: &SamplingMessage,
    messages: &mut Vec<Value>,
    to_message: impl Fn(&ToolResult, String) -> Value,
) -> Vec<SamplingContent> {
    let mut parts = Vec::with_capacity(message.content.len());
    for part in &message.content {
        if let SamplingContent::ToolResult(result) = part {
            let ResultText { text, media } = result_text(result);
            messages.push(to_message(result, if result.is_error { format!("Error: {text}") } else { text }));
            parts.extend(media);
        } else {
            parts.push(part.clone());
        }
    }
    parts
}

/// Joins the text parts with line breaks, and ignores all other parts.
pub(super) fn joined(parts: &[SamplingContent]) -> String {
    parts.iter().filter_map(SamplingContent::as_text).collect::<Vec<_>>().join("\n")
}

pub(super) fn is_text_alone(parts: &[SamplingContent]) -> bool {
    parts.iter().all(|part| part.as_text().is_some())
}
