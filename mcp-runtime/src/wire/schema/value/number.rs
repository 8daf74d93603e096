//! JSON numbers, compared by their exact value: `1`, `1.0` and `1e0` are equal.

use std::{
    cmp::Ordering,
    fmt::{self, Display},
};

use crate::wire::protocol::decimal::Decimal;

/// A JSON number. JSON Schema distinguishes whole numbers from other numbers, but not integer types from float types.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// A whole number in any notation.
    Whole(i128),
    /// The float nearest to a number that has a fraction or does not fit into 64 bits. Infinite if the number is too
    /// large for a float.
    Float(f64),
}

impl Number {
    pub(crate) fn from_f64(float: f64) -> Self {
        // Larger integers are read as floats too, so that equal numbers have one form.
        if float.fract() == 0.0 && (-2f64.powi(63)..2f64.powi(64)).contains(&float) {
            Self::Whole(float as i128)
        } else {
            Self::Float(float)
        }
    }

    pub(crate) fn from_json(number: &serde_json::Number) -> Self {
        match number.as_i128() {
            Some(whole) => Self::Whole(whole),
            None => Self::from_f64(number.as_f64().unwrap_or(f64::INFINITY)),
        }
    }

    /// Returns the number as JSON, if it fits into 64 bits.
    pub(crate) fn to_json(self) -> Option<serde_json::Value> {
        match self {
            Self::Whole(whole) => i64::try_from(whole).ok().map(Into::into),
            Self::Float(float) => serde_json::Number::from_f64(float).map(Into::into),
        }
    }

    pub(crate) fn is_whole(self) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Float(float) => float.fract() == 0.0 || float.is_infinite(),
        }
    }

    pub(crate) fn is_multiple_of(self, step: Self) -> bool {
        // Computed with decimals, not with binary fractions: an author who writes 0.01 means cents, and 19.99 is a
        // multiple of 0.01.
        self.decimal().zip(step.decimal()).is_some_and(|(value, step)| divides(step, value))
    }

    /// Returns the mantissa and the exponent of the shortest decimal text of this number, without its sign: `(25, -1)`
    /// for 2.5. Returns `None` for infinity.
    fn decimal(self) -> Option<(i128, i32)> {
        let float = match self {
            Self::Whole(whole) => return Some((whole, 0)),
            Self::Float(float) => float,
        };
        let Decimal { digits, exponent, .. } = Decimal::read(&json_text(float))?;
        Some((digits.parse().unwrap_or(0), i32::try_from(exponent).ok()?))
    }
}

/// Returns whether `value` is a multiple of `step`. Each number is a mantissa and a power of ten.
fn divides(step: (i128, i32), value: (i128, i32)) -> bool {
    if step.0 == 0 {
        return false;
    }
    if value.0 == 0 {
        return true;
    }
    let shift = value.1 - step.1;
    if shift >= 0 {
        // `value.0 * 10^shift % step.0`, computed stepwise so that it cannot overflow.
        let modulus = step.0.unsigned_abs();
        let mut rest = value.0.unsigned_abs() % modulus;
        for _ in 0..shift {
            match rest.checked_mul(10) {
                Some(next) => rest = next % modulus,
                None => return false,
            }
        }
        rest == 0
    } else {
        // The step has fewer decimals than the value.
        let factor = 10i128.checked_pow(shift.unsigned_abs());
        factor.and_then(|factor| step.0.checked_mul(factor)).is_some_and(|step| value.0 % step == 0)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (*self, *other) {
            (Self::Whole(left), Self::Whole(right)) => Some(left.cmp(&right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(&right),
            (Self::Whole(left), Self::Float(right)) => Some(compare(left, right)),
            (Self::Float(left), Self::Whole(right)) => Some(compare(right, left).reverse()),
        }
    }
}

/// Compares the exact values, without rounding to a float. The whole part of every `f64` below 2^127 fits into an
/// `i128`.
fn compare(whole: i128, float: f64) -> Ordering {
    if float.abs() >= 2f64.powi(127) {
        return if float > 0.0 { Ordering::Less } else { Ordering::Greater };
    }
    let has_fraction = float.fract() != 0.0;
    whole.cmp(&(float.floor() as i128)).then(if has_fraction { Ordering::Less } else { Ordering::Equal })
}

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(whole) => whole.fmt(f),
            Self::Float(float) if float.abs() < 1e21 => float.fmt(f),
            Self::Float(float) => f.write_str(&json_text(*float)),
        }
    }
}

/// Returns the shortest text of a float. Does not use `{:e}`, because that would add a second way to write floats to
/// small programs.
fn json_text(float: f64) -> String {
    serde_json::to_string(&float).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::from_json(&serde_json::from_str(text).expect("a number"))
    }

    #[test]
    fn reads_whole_numbers_in_any_notation() {
        assert!(number("1.0").is_whole() && number("1e300").is_whole() && !number("1.5").is_whole());
        assert_eq!(number("1"), number("1.0"));
        assert_eq!(number("100"), number("1e2"));
    }

    #[test]
    fn compares_large_numbers_exactly() {
        assert!(number("9007199254740993") > number("9007199254740992.0"));
        assert!(number("18446744073709551615") < number("18446744073709551616"));
        assert!(number("-9007199254740993") < number("-9007199254740992.0"));
        assert_eq!(number("-9223372036854775808"), number("-9223372036854775808.0"));
        assert!(number("1e300") > number("18446744073709551615"));
        assert!(number("-1e300") < number("-1"));
        assert!(number("0.5") > number("0") && number("-0.5") < number("0"));
    }

    #[test]
    fn computes_multiples_in_decimals() {
        assert!(number("19.99").is_multiple_of(number("0.01")));
        assert!(number("0.3").is_multiple_of(number("0.1")));
        assert!(number("1e20").is_multiple_of(number("0.5")));
        assert!(!number("19.995").is_multiple_of(number("0.01")));
        assert!(!number("0.5").is_multiple_of(number("1")));
        assert!(number("4.5").is_multiple_of(number("1.5")));
        assert!(number("0").is_multiple_of(number("0.1")));
        assert!(!number("1e-300").is_multiple_of(number("1e300")));
    }
}
