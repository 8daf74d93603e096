//! JSON strings, written.

/// Appends `text` as a JSON string.
///
/// Large results are mostly text, so the scan for what must be escaped looks at blocks: the compiler turns the
/// loop over a block into vector instructions.
pub(crate) fn push_json_string(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let mut rest = text.as_bytes();
    loop {
        let clean = clean_prefix(rest);
        out.extend_from_slice(&rest[..clean]);
        let Some(&byte) = rest.get(clean) else { break };
        push_escaped(out, byte);
        rest = &rest[clean + 1..];
    }
    out.push(b'"');
}

/// How many bytes from the start need no escape.
fn clean_prefix(bytes: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let blocks =
        bytes.chunks_exact(BLOCK).take_while(|block| !block.iter().fold(false, |any, &byte| any | special(byte)));
    let clean = blocks.count() * BLOCK;
    let rest = &bytes[clean..];
    clean + rest.iter().position(|&byte| special(byte)).unwrap_or(rest.len())
}

fn special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn push_escaped(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            out.extend_from_slice(b"\\u00");
            out.push(HEX[usize::from(byte >> 4)]);
            out.push(HEX[usize::from(byte & 15)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::push_json_string;

    #[test]
    fn every_byte_survives_at_every_offset() {
        let all: String = (0..=0x7f_u8).map(char::from).chain("äß€😀\u{2028}".chars()).collect();
        for offset in 0..70 {
            let text = format!("{}{all}{}", "x".repeat(offset), "y".repeat(offset));
            let mut out = Vec::new();
            push_json_string(&mut out, &text);
            assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        }
    }
}
