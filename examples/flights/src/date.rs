//! The date, which is a type of this program. Tools have parameters of this type.

use std::{borrow::Cow, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A day of the calendar, written `2026-12-24`. Only a day that exists can be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Date {
    // In this order, so that the derived `Ord` compares dates.
    year: u16,
    month: u8,
    day: u8,
}

/// The reason why a text is not a date.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DateError {
    #[error("`{0}` is not a date: write year, month and day as in `2026-12-24`")]
    Form(String),
    #[error("`{0}` is not a date: a year has 12 months, this says month {1}")]
    Month(String, u8),
    #[error("`{0}` is not a date: that month has {2} days, this says day {1}")]
    Day(String, u8, u8),
}

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let (year, month, day) = read(text).ok_or_else(|| DateError::Form(text.into()))?;
        if !(1..=12).contains(&month) {
            return Err(DateError::Month(text.into(), month));
        }
        let days = days_of(year, month);
        if !(1..=days).contains(&day) {
            return Err(DateError::Day(text.into(), day, days));
        }
        Ok(Self { year, month, day })
    }
}

/// Returns the three numbers of `YYYY-MM-DD`, also if they are not a date.
fn read(text: &str) -> Option<(u16, u8, u8)> {
    let fits = |(index, byte): (usize, u8)| if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    if text.len() != 10 || !text.bytes().enumerate().all(fits) {
        return None;
    }
    Some((text[..4].parse().ok()?, text[5..7].parse().ok()?, text[8..].parse().ok()?))
}

fn days_of(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl TryFrom<String> for Date {
    type Error = DateError;

    fn try_from(text: String) -> Result<Self, DateError> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> Self {
        date.to_string()
    }
}

/// The published schema. It is inlined, so that each parameter of this type can have its own description.
impl JsonSchema for Date {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Date".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<Date>().unwrap_err().to_string()
    }

    #[test]
    fn a_date_is_written_as_it_was_read() {
        for text in ["2026-12-24", "2024-02-29", "2000-02-29", "0001-01-01"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
            assert_eq!(serde_json::from_value::<Date>(text.into()).unwrap().to_string(), text);
        }
    }

    #[test]
    fn dates_are_in_the_order_of_the_calendar() {
        let dates = ["2025-12-31", "2026-01-30", "2026-02-01"].map(|text| text.parse::<Date>().unwrap());
        assert!(dates.is_sorted());
    }

    #[test]
    fn a_day_that_does_not_exist_is_refused() {
        assert_eq!(refused("2026-02-29"), "`2026-02-29` is not a date: that month has 28 days, this says day 29");
        assert_eq!(refused("1900-02-29"), "`1900-02-29` is not a date: that month has 28 days, this says day 29");
        assert_eq!(refused("2026-04-00"), "`2026-04-00` is not a date: that month has 30 days, this says day 0");
        assert_eq!(refused("2026-13-01"), "`2026-13-01` is not a date: a year has 12 months, this says month 13");
    }

    #[test]
    fn other_date_formats_are_rejected() {
        for text in
            ["", "24.12.2026", "2026-12-4", "2026/12/24", "26-12-24", "+026-12-24", "2026-12-24T00", "２026-12-2"]
        {
            assert_eq!(refused(text), format!("`{text}` is not a date: write year, month and day as in `2026-12-24`"));
        }
    }
}
