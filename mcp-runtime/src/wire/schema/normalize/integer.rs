//! Writes whole numbers as integers.
//!
//! `1.0` and `1e3` are integers in JSON Schema, but serde's integers accept neither. The number is rewritten digit by
//! digit, never through a float.

use crate::wire::protocol::decimal::Decimal;

/// Returns a whole number as an integer, if it is written with a fraction or an exponent. Numbers of more than 39
/// digits, the maximum of Rust's integers, stay unchanged.
pub(super) fn integer(text: &str) -> Option<String> {
    const LONGEST: usize = 39;
    // `-0` is read as a float too.
    let is_float = text == "-0" || text.contains(['.', 'e', 'E']);
    if is_float { Decimal::read(text)?.integer(LONGEST) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites_whole_numbers_digit_by_digit() {
        for (text, expected) in [
            ("1.0", "1"),
            ("-1.50e1", "-15"),
            ("1E+3", "1000"),
            ("100e-2", "1"),
            ("0.0", "0"),
            ("-0", "0"),
            ("-0.0e5", "0"),
            ("0e99999999999999999999", "0"),
            ("9007199254740993.0", "9007199254740993"),
            ("0.00012e5", "12"),
            ("1e38", "100000000000000000000000000000000000000"),
        ] {
            assert_eq!(integer(text).as_deref(), Some(expected), "{text}");
        }
        for text in
            ["1", "0", "-5", "1.5", "1e-1", "12e-2", "1e39", "1e400", "1e99999999999999999999", "true", "\"1.0\""]
        {
            assert_eq!(integer(text), None, "{text}");
        }
    }
}
