//! JSON strings, written.

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

/// Whether each byte stands for itself in a JSON string. Written so that the compiler looks at a vector of them at once.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, &byte| plain & (byte >= 0x20) & (byte != b'"') & (byte != b'\\'))
}

const SHORT: usize = 256;

#[cfg(test)]
mod tests {
    use super::push_json_string;

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
