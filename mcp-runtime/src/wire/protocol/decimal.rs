//! JSON numbers by their exact decimal value, without rounding to a float.

use super::scan::Scanner;

/// A number, represented by its exact value: `42`, `42.0` and `4.2e1` are equal.
#[derive(PartialEq)]
pub(crate) struct Decimal {
    pub(crate) negative: bool,
    /// The decimal digits, without zeros at either end.
    pub(crate) digits: String,
    /// The exponent of ten for the last digit: 1 for `420`, which has the digits `42`.
    pub(crate) exponent: i64,
}

impl Decimal {
    /// Reads a number. Returns `None` if `text` is not a JSON number, or its exponent does not fit into 64 bits.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        if !is_number || Scanner::new(text).value() != Ok(text) {
            return None;
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let unsigned = mantissa.trim_start_matches('-');
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_matches('0');
        if digits.is_empty() {
            return Some(Self { negative: false, digits: String::new(), exponent: 0 });
        }
        let exponent: i64 = exponent.parse().ok()?;
        let zeros = all.len() - all.trim_end_matches('0').len();
        let shift = i64::try_from(zeros).ok()? - i64::try_from(fraction.len()).ok()?;
        let negative = mantissa.starts_with('-');
        Some(Self { negative, digits: digits.to_owned(), exponent: exponent.checked_add(shift)? })
    }

    /// Returns the number as an integer. Returns `None` if it has a fraction, or more than `most` digits.
    pub(crate) fn integer(&self, most: usize) -> Option<String> {
        let Self { negative, digits, exponent } = self;
        if digits.is_empty() {
            return Some("0".to_owned());
        }
        let zeros = usize::try_from(*exponent).ok().filter(|zeros| digits.len().saturating_add(*zeros) <= most)?;
        Some(format!("{}{digits}{}", if *negative { "-" } else { "" }, "0".repeat(zeros)))
    }
}
