//! Hexadecimal digits.

/// Returns these bytes as lower-case hexadecimal digits. Many times faster than `{:02x}`, and every call needs an id.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut digits = Vec::with_capacity(2 * bytes.len());
    for byte in bytes {
        digits.extend_from_slice(&[byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]));
    }
    // The digits are ASCII.
    String::from_utf8(digits).unwrap_or_default()
}
