//! Form fields whose types are dates, times and URLs from other crates.

use std::fmt::Display;

use serde_json::Value;

use super::{FormField, Format, Shape};

/// Implements `FormField` for a type that is parsed from text with a format.
macro_rules! formatted {
    ($($ty:ty: $format:ident, $read:expr, $write:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl FormField for $ty {
            const SHAPE: Shape = Shape::formatted(Format::$format);

            fn read(answer: Value) -> Result<Self, String> {
                parse(answer, $read)
            }

            fn write(self) -> Value {
                let write: fn(Self) -> String = $write;
                write(self).into()
            }
        }
    )*};
}

fn parse<T, E: Display>(answer: Value, read: impl FnOnce(&str) -> Result<T, E>) -> Result<T, String> {
    let text = String::read(answer)?;
    read(&text).map_err(|error| format!("{text:?}: {error}"))
}

#[cfg(feature = "chrono")]
formatted! {
    chrono::NaiveDate: Date, |text| text.parse(), |date| date.format("%Y-%m-%d").to_string();
    chrono::DateTime<chrono::FixedOffset>: DateTime, chrono::DateTime::parse_from_rfc3339, |moment| moment.to_rfc3339();
    chrono::DateTime<chrono::Utc>: DateTime,
        |text| chrono::DateTime::parse_from_rfc3339(text).map(|moment| moment.to_utc()),
        |moment| moment.to_rfc3339();
}

#[cfg(feature = "jiff")]
formatted! {
    jiff::civil::Date: Date, |text| text.parse::<Self>(), |date| date.to_string();
    jiff::Timestamp: DateTime, |text| text.parse::<Self>(), |moment| moment.to_string();
}

#[cfg(feature = "url")]
formatted! {
    url::Url: Uri, url::Url::parse, |url| url.into();
}

#[cfg(all(test, feature = "chrono", feature = "jiff", feature = "url"))]
mod tests {
    use super::*;

    /// Checks that text with a valid format can be read, and that writing and reading it again gives the same value.
    fn survives<T: FormField + Clone + PartialEq + std::fmt::Debug>(texts: &[&str]) {
        for text in texts {
            let read = T::read((*text).into()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(T::read(read.clone().write()), Ok(read), "{text}");
        }
    }

    #[test]
    fn reads_text_that_fits_the_format() {
        let dates = ["2026-07-28", "2024-02-29", "0001-01-01", "9999-12-31"];
        survives::<chrono::NaiveDate>(&dates);
        survives::<jiff::civil::Date>(&dates);
        let moments = [
            "2026-07-28T09:30:00Z",
            "2026-07-28t09:30:00z",
            "2026-07-28T09:30:00.123456789+05:30",
            "1999-12-31T23:59:60Z",
            "2026-07-28T09:30:00-00:00",
        ];
        survives::<chrono::DateTime<chrono::Utc>>(&moments);
        survives::<chrono::DateTime<chrono::FixedOffset>>(&moments);
        survives::<jiff::Timestamp>(&moments);
        survives::<url::Url>(&["https://example.com/a?b#c", "mailto:a@example.com", "urn:x:y", "file:///a"]);
    }

    #[test]
    fn error_says_why_the_type_rejects_the_answer() {
        assert_eq!(url::Url::read("http:".into()).unwrap_err(), r#""http:": empty host"#);
        assert!(jiff::civil::Date::read("2026-02-30".into()).is_err());
        assert!(chrono::NaiveDate::read(7.into()).is_err());
    }
}
