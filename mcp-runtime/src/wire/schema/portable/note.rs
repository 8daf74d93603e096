//! Sentences in descriptions, for what no plain keyword says.

use serde_json::{Map, Value};

use crate::wire::{
    protocol::json::{get, set},
    schema::format,
};

/// Appends a sentence to the description.
pub(super) fn add(keywords: &mut Map<String, Value>, sentence: &str) {
    let description = match get(keywords, "description").and_then(Value::as_str).map(str::trim_end) {
        None | Some("") => sentence.to_owned(),
        Some(before) => {
            let period = if before.ends_with(['.', '!', '?', ':']) { "" } else { "." };
            format!("{before}{period} {sentence}")
        }
    };
    set(keywords, "description", description.into());
}

/// Returns the text in one line, without the period at its end.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

/// Removes a `format` that JSON Schema does not define, because hosts refuse it or warn about it. If the format is one
/// of those that schemars writes, the description says what it means.
pub(super) fn replace_format(keywords: &mut Map<String, Value>) {
    let Some(format) = get(keywords, "format").and_then(Value::as_str) else { return };
    if format::is_standard(format) {
        return;
    }
    let sentence = match format {
        "ip" => Some("An IPv4 or IPv6 address."),
        "partial-date-time" => Some("A date and time without an offset, such as 2026-01-31T14:30:00."),
        "partial-time" => Some("A time without an offset, such as 14:30:00."),
        _ => None,
    };
    keywords.shift_remove("format");
    sentence.into_iter().for_each(|sentence| add(keywords, sentence));
}
