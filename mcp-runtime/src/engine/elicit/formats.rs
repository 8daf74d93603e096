//! Checks at compile time that the default of a text field has the format of the field. Every default that passes is
//! also a valid answer. A URI whose host is an address in brackets is a valid answer, but is rejected as a default.

use super::Format;
use crate::wire::schema::format::{date, date_time, email, uri};

impl Format {
    /// Returns the noun that error messages use for the format.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Email => "an e-mail address",
            Self::Uri => "an absolute URI",
            Self::Date => "a date",
            Self::DateTime => "a date and time with its offset",
        }
    }

    pub(super) const fn example(self) -> &'static str {
        match self {
            Self::Email => "name@example.com",
            Self::Uri => "https://example.com",
            Self::Date => "2026-01-31",
            Self::DateTime => "2026-01-31T14:30:00Z",
        }
    }

    pub(super) const fn accepts(self, text: &str) -> bool {
        let text = text.as_bytes();
        match self {
            Self::Email => matches!(email(text), Some([])),
            Self::Uri => matches!(uri(text), Some([])),
            Self::Date => date(text),
            Self::DateTime => date_time(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::{
        prelude::{ProptestConfig, Strategy, prop_assert, prop_oneof},
        sample::select,
        test_runner::TestRunner,
    };
    use serde_json::json;

    use super::*;
    use crate::engine::elicit::{
        Shape, TypeOfField,
        field::Field,
        schema::{self, Changes},
    };

    #[test]
    fn accepts_only_defaults_that_are_valid_answers() {
        for format in [Format::Email, Format::Uri, Format::Date, Format::DateTime] {
            let shape = Shape::formatted(format);
            let fields: &'static [Field] =
                Box::leak(Box::new([Field::new("x", TypeOfField { shape, optional: false })]));
            let checker = schema::checker(fields, &Changes::default());
            let accepted = Cell::new(0);
            let config = ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() };
            let ran = TestRunner::new(config).run(&texts(format), |text| {
                if format.accepts(&text) {
                    accepted.set(accepted.get() + 1);
                    prop_assert!(checker.check(&json!({ "x": text }).to_string()).is_ok(), "{text:?}");
                }
                Ok(())
            });
            ran.unwrap_or_else(|failure| panic!("{format:?}: {failure}"));
            assert!(accepted.get() > 50, "{format:?}: only {} defaults were accepted", accepted.get());
        }
    }

    /// Generates text that nearly has the format.
    fn texts(format: Format) -> impl Strategy<Value = String> {
        let like = match format {
            Format::Email => r"[a-z.!]{1,4}@[a-z0-9.-]{1,6}",
            Format::Uri => r"[a-z+]{1,3}:(//)?[a-z.:%@]{0,4}[0-9]{0,2}[/?#%a-f0-9]{0,4}",
            Format::Date => r"[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]",
            Format::DateTime => {
                r"20[0-9]{2}-0[1-9]-[0-2][0-9][Tt][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{0,2})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])"
            }
        };
        let broken =
            (like, select(vec!["", "@", ".", "-", ":", "é", "\n"]), 0..30_usize).prop_map(|(text, odd, at)| {
                let at = text.char_indices().map(|(at, _)| at).nth(at).unwrap_or(text.len());
                format!("{}{odd}{}", &text[..at], &text[at..])
            });
        prop_oneof![like, broken]
    }

    #[test]
    fn accepts_common_values() {
        for (format, text) in [
            (Format::Email, "me@example.com"),
            (Format::Email, "first.last+tag@sub-domain.example.co.uk"),
            (Format::Uri, "https://example.com"),
            (Format::Uri, "http://localhost:8080/a%20b?c=d&e#f"),
            (Format::Uri, "mailto:me@example.com"),
            (Format::Date, "2024-02-29"),
            (Format::DateTime, "2026-01-31T14:30:00Z"),
            (Format::DateTime, "2026-01-31t14:30:00.5+05:30"),
        ] {
            assert!(format.accepts(text), "{text}");
            assert!(format.accepts(format.example()), "{format:?}");
        }
        for (format, text) in [
            (Format::Email, "me"),
            (Format::Email, "me@"),
            (Format::Email, ".me@example.com"),
            (Format::Email, "me.@example.com"),
            (Format::Uri, "example.com/a"),
            (Format::Uri, "http://a b"),
            (Format::Date, "2026-02-29"),
            (Format::Date, "tomorrow"),
            (Format::Date, "2026-01-31 "),
            (Format::DateTime, "2026-01-31"),
            (Format::DateTime, "2026-01-31T14:30:00"),
            (Format::DateTime, "2026-01-31T24:30:00Z"),
        ] {
            assert!(!format.accepts(text), "{text}");
        }
    }
}
