//! Hexadecimal digits.

/// Returns these bytes as lower-case hexadecimal digits. Many times faster than `{:02x}`, and every call needs an id.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut digits = vec![0; 2 * bytes.len()];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&[byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]));
    }
    // The digits are ASCII.
    String::from_utf8(digits).unwrap_or_default()
}
