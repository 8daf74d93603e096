//! Parts of messages, as several APIs want them.

use crate::sample::{SamplingContent, ToolResult};

/// What came of a call: a text, and what cannot be said in one.
pub(super) struct Told {
    pub(super) text: String,
    pub(super) media: Vec<SamplingContent>,
}

pub(super) fn told(result: &ToolResult) -> Told {
    let parts = result.content.iter().cloned().map(SamplingContent::from);
    let (texts, media): (Vec<_>, Vec<_>) = parts.partition(|part| part.as_text().is_some());
    let text = match &result.structured_content {
        // Usually the text is its mirror.
        Some(structured) if result.content.is_empty() => structured.to_string(),
        _ => joined(&texts),
    };
    Told { text, media }
}

/// The same, where an API has no field to say that the call failed.
pub(super) fn told_in_words(result: &ToolResult) -> Told {
    let told = told(result);
    if result.is_error { Told { text: format!("Error: {}", told.text), ..told } } else { told }
}

/// What of the parts is text.
pub(super) fn joined(parts: &[SamplingContent]) -> String {
    parts.iter().filter_map(SamplingContent::as_text).collect::<Vec<_>>().join("\n")
}

pub(super) fn is_text_alone(parts: &[SamplingContent]) -> bool {
    parts.iter().all(|part| part.as_text().is_some())
}
