//! Writes JSON strings, and shortens text of clients and models for error messages.

use std::borrow::Cow;

use serde::Serialize;

use super::scan::is_plain;

/// The character that some programs write before UTF-8 text. It is not part of the text, and JSON does not allow it.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns about how many tokens a model needs for text of this length. Tokenizers differ, and all of them need about one
/// token for four bytes of English or JSON.
#[cfg(feature = "cli")]
pub(crate) fn estimated_tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// Appends `value` as JSON. Use it only for values that serde can always serialize: all keys are
/// strings, and all numbers are finite.
pub(crate) fn push_json(out: &mut Vec<u8>, value: &impl Serialize) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

/// Appends `text` as a JSON string. Large results are mostly text, so the escaper uses vector instructions.
pub(crate) fn push_json_string(out: &mut Vec<u8>, text: &str) {
    // The escaper reserves six times the length, which short plain text does not need.
    if text.len() <= SHORT && is_plain(text.as_bytes()) {
        out.reserve(text.len() + 2);
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        json_escape_simd::escape_into(text, out);
    }
}

/// Appends `text` as a JSON string, like [`push_json_string`].
pub(crate) fn push_json_text(out: &mut String, text: &str) {
    if text.len() <= SHORT && is_plain(text.as_bytes()) {
        out.reserve(text.len() + 2);
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&json_string(text));
    }
}

/// Returns `text` as a JSON string. This function adds less machine code to a program than the `Display` of `Value`.
pub(crate) fn json_string(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len() + 2);
    push_json_string(&mut out, text);
    // The bytes come from strings only.
    String::from_utf8(out).unwrap_or_default()
}

/// Shortens text for an error message. Cuts text of more than 128 characters and appends its length, so that an error
/// message never contains a long text from a client or a model.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 128;
    // A string never has more characters than bytes.
    if text.len() <= SHOWN {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => Cow::Owned(format!("{}… ({} characters)", &text[..cut], text.chars().count())),
        None => Cow::Borrowed(text),
    }
}

/// Cuts a text of more characters than this, and marks the cut.
pub(crate) fn cut(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Returns the beginning of a text, with at most this number of bytes.
#[cfg(any(feature = "dev", feature = "remote", feature = "search"))]
pub(crate) fn beginning(text: &str, longest: usize) -> &str {
    let end = (0..=longest.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

/// Returns how many bytes of `text` the parser had read when it found the error.
pub(crate) fn offset(text: &str, error: &serde_json::Error) -> usize {
    let lines = error.line().saturating_sub(1);
    let line = lines.checked_sub(1).and_then(|last| memchr::memchr_iter(b'\n', text.as_bytes()).nth(last));
    line.map_or(0, |end| end + 1) + error.column()
}

/// Returns the error's message without line and column, which mean nothing to the client.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(reason) => reason.to_owned(),
        None => text,
    }
}

pub(super) const SHORT: usize = 256;

#[cfg(test)]
mod tests {
    use super::{push_json_string, shortened};

    #[test]
    fn cuts_long_text_between_characters_and_appends_its_length() {
        assert_eq!(shortened("short"), "short");
        let (fits, long) = ("é".repeat(128), "é".repeat(129));
        assert_eq!(shortened(&fits), fits);
        assert_eq!(shortened(&long), format!("{fits}… (129 characters)"));
    }

    #[test]
    fn escapes_every_byte_at_every_offset() {
        let all: String = (0..=0x7f_u8).map(char::from).chain("äß€😀\u{2028}".chars()).collect();
        for offset in (0..70).chain([200, 300]) {
            let text = format!("{}{all}{}", "x".repeat(offset), "y".repeat(offset));
            let mut out = b"before".to_vec();
            push_json_string(&mut out, &text);
            assert_eq!(serde_json::from_slice::<String>(&out[6..]).unwrap(), text);
        }
    }
}
