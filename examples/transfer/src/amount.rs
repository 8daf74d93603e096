//! An amount of money in cents, written as `1250.00`.

use std::{borrow::Cow, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Euros and cents, written `1250.00`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Amount {
    pub(crate) cents: i64,
}

/// The error of a text that is not an amount.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an amount: write up to nine digits, a point and two digits more, as in `1250.00`")]
pub(crate) struct AmountError(String);

impl Amount {
    pub(crate) const fn euros(euros: i64) -> Self {
        Self { cents: euros * 100 }
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        let read = || {
            let (euros, cents) = text.split_once('.')?;
            let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
            let fits = (1..=9).contains(&euros.len()) && cents.len() == 2 && is_number(euros) && is_number(cents);
            let whole: i64 = euros.parse().ok().filter(|_| fits)?;
            Some(Self { cents: whole * 100 + cents.parse::<i64>().ok()? })
        };
        read().ok_or_else(|| AmountError(text.into()))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.cents / 100, self.cents % 100)
    }
}

impl TryFrom<String> for Amount {
    type Error = AmountError;

    fn try_from(text: String) -> Result<Self, AmountError> {
        text.parse()
    }
}

impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        amount.to_string()
    }
}

/// The published schema. It is inlined, so that each parameter of this type can have its own description.
impl JsonSchema for Amount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "examples": ["1250.00"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_written_as_it_was_read() {
        for text in ["0.00", "0.05", "12.50", "1250.00", "999999999.99"] {
            assert_eq!(text.parse::<Amount>().unwrap().to_string(), text);
        }
        assert_eq!("12.50".parse(), Ok(Amount { cents: 1250 }));
    }

    #[test]
    fn other_amount_formats_are_rejected() {
        for text in ["", "12", "12.5", "12.500", "12,50", ".50", "-12.50", "+12.50", "1 2.50", "1234567890.00", "1.²0"]
        {
            let error = text.parse::<Amount>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is not an amount")), "{error}");
        }
    }
}
