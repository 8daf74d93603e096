//! Conversions of message parts that several APIs need.

use crate::engine::sample::{SamplingContent, ToolResult};

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

/// Like [`result_text`], but puts `Error:` before the text of a failed call, for APIs that have no field for failures.
pub(super) fn result_text_with_error(result: &ToolResult) -> ResultText {
    let ResultText { text, media } = result_text(result);
    ResultText { text: if result.is_error { format!("Error: {text}") } else { text }, media }
}

/// Joins the text parts with line breaks, and ignores all other parts.
pub(super) fn joined(parts: &[SamplingContent]) -> String {
    parts.iter().filter_map(SamplingContent::as_text).collect::<Vec<_>>().join("\n")
}

pub(super) fn is_text_alone(parts: &[SamplingContent]) -> bool {
    parts.iter().all(|part| part.as_text().is_some())
}
