//! JSON strings, written; and text of others, cut for an error.

use std::borrow::Cow;

/// Appends `text` as a JSON string. Large results are mostly text, so a whole vector of bytes is looked at at once.
pub(crate) fn push_json_string(out: &mut Vec<u8>, text: &str) {
    // The escaper wants room for six times the text, which a name or a line does not need.
    if text.len() <= SHORT && is_plain(text.as_bytes()) {
        out.reserve(text.len() + 2);
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        json_escape_simd::escape_into(text, out);
    }
}

/// `text` as a JSON string. `Value`'s own `Display` does the same, and brings a second serializer into small programs.
pub(crate) fn json_string(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len() + 2);
    push_json_string(&mut out, text);
    // Made of text alone.
    String::from_utf8(out).unwrap_or_default()
}

/// The text for an error: a long one is cut, and how long it was is said. Neither the client nor a log is sent back at
/// length what somebody else wrote.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 128;
    // No text has more characters than bytes.
    if text.len() <= SHOWN {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => Cow::Owned(format!("{}… ({} characters)", &text[..cut], text.chars().count())),
        None => Cow::Borrowed(text),
    }
}

/// How many bytes of the text were read when the error was found.
pub(crate) fn offset(text: &str, error: &serde_json::Error) -> usize {
    let lines = error.line().saturating_sub(1);
    let line = lines.checked_sub(1).and_then(|last| memchr::memchr_iter(b'\n', text.as_bytes()).nth(last));
    line.map_or(0, |end| end + 1) + error.column()
}

/// What the error says, without the line and the column: there are none in the value that a client made.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(reason) => reason.to_owned(),
        None => text,
    }
}

/// Whether each byte stands for itself in a JSON string. Written so that the compiler looks at a vector of them at once.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, &byte| plain & (byte >= 0x20) & (byte != b'"') & (byte != b'\\'))
}

const SHORT: usize = 256;

#[cfg(test)]
mod tests {
    use super::{push_json_string, shortened};

    #[test]
    fn long_text_is_cut_between_characters_and_its_length_told() {
        assert_eq!(shortened("short"), "short");
        let (fits, long) = ("é".repeat(128), "é".repeat(129));
        assert_eq!(shortened(&fits), fits);
        assert_eq!(shortened(&long), format!("{fits}… (129 characters)"));
    }

    #[test]
    fn every_byte_survives_at_every_offset() {
        let all: String = (0..=0x7f_u8).map(char::from).chain("äß€😀\u{2028}".chars()).collect();
        for offset in (0..70).chain([200, 300]) {
            let text = format!("{}{all}{}", "x".repeat(offset), "y".repeat(offset));
            let mut out = b"before".to_vec();
            push_json_string(&mut out, &text);
            assert_eq!(serde_json::from_slice::<String>(&out[6..]).unwrap(), text);
        }
    }
}
