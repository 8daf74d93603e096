//! JSON strings, written.

/// Appends `text` as a JSON string. Large results are mostly text, so a whole vector of bytes is looked at at once.
pub(crate) fn push_json_string(out: &mut Vec<u8>, text: &str) {
    json_escape_simd::escape_into(text, out);
}

#[cfg(test)]
mod tests {
    use super::push_json_string;

    #[test]
    fn every_byte_survives_at_every_offset() {
        let all: String = (0..=0x7f_u8).map(char::from).chain("äß€😀\u{2028}".chars()).collect();
        for offset in 0..70 {
            let text = format!("{}{all}{}", "x".repeat(offset), "y".repeat(offset));
            let mut out = b"before".to_vec();
            push_json_string(&mut out, &text);
            assert_eq!(serde_json::from_slice::<String>(&out[6..]).unwrap(), text);
        }
    }
}
