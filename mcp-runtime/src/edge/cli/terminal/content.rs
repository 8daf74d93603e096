//! Results of the server, as a person reads them.

use serde_json::{Value, value::RawValue};

/// Reads a result of the server, whose shape is known. A struct for each kind of result would make programs larger.
pub(crate) fn read_json(result: &RawValue) -> Value {
    serde_json::from_str(result.get()).unwrap_or_default()
}

pub(crate) fn text_of(block: &Value) -> Option<&str> {
    block["text"].as_str()
}

/// Returns the text with a line feed at its end.
pub(crate) fn with_newline(text: String) -> String {
    if text.ends_with('\n') { text } else { text + "\n" }
}

/// Returns the text of a text block, or a note that describes a block of another type.
pub(crate) fn in_words(block: &Value) -> String {
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

pub(crate) fn size(bytes: usize) -> String {
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
