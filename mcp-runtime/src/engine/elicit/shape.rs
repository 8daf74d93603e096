//! The kinds of form fields that the protocol supports.

use crate::wire::schema::format::{date, date_time, email, uri};

/// The kind of a form field: text, a number, a boolean, one choice or several.
///
/// Nested objects and lists of arbitrary values have no shape, so a [`FormField`](super::FormField) cannot represent
/// them.
#[derive(Clone, Copy, Debug)]
pub struct Shape(pub(crate) ShapeKind);

#[derive(Clone, Copy, Debug)]
pub(crate) enum ShapeKind {
    Text { length: Bounds, format: Option<Format> },
    Integer { min: i128, max: i128 },
    Number { min: Option<Literal>, max: Option<Literal> },
    Boolean,
    One(&'static [ChoiceEntry]),
    Several { choices: &'static [ChoiceEntry], count: Bounds },
}

/// The limits on the length of a text or a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) min: Option<u32>,
    pub(crate) max: Option<u32>,
}

/// One choice as the form's schema shows it. A choice has a name on the wire, and can have a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceEntry {
    pub(crate) name: &'static str,
    pub(crate) title: Option<&'static str>,
}

impl ChoiceEntry {
    /// Creates a choice from its name on the wire and its title for users.
    pub const fn new(name: &'static str, title: Option<&'static str>) -> Self {
        Self { name, title }
    }

    /// Returns the name on the wire.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the title shown to users.
    pub const fn title(&self) -> Option<&'static str> {
        self.title
    }
}

/// The text formats that forms support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// An e-mail address.
    Email,
    /// An absolute URI (RFC 3986).
    Uri,
    /// A date: `2026-07-28` (RFC 3339).
    Date,
    /// A date and time: `2026-07-28T09:30:00Z` (RFC 3339).
    DateTime,
}

/// A value that the author wrote in an attribute: a default or a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// Text, such as the name of a choice or a date.
    Text(&'static str),
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// Any other number.
    Float(f64),
    /// Names of choices.
    List(&'static [&'static str]),
}

/// The shape of a field, and whether the field is optional.
#[derive(Clone, Copy, Debug)]
pub struct TypeOfField {
    pub(crate) shape: Shape,
    pub(crate) optional: bool,
}

impl Shape {
    /// Returns the shape of any text.
    pub const fn text() -> Self {
        Self(ShapeKind::Text { length: Bounds::ANY, format: None })
    }

    /// Returns the shape of text in this format.
    pub const fn formatted(format: Format) -> Self {
        Self(ShapeKind::Text { length: Bounds::ANY, format: Some(format) })
    }

    /// Returns the shape of a whole number from `min` to `max`, both included.
    pub const fn integer(min: i64, max: u64) -> Self {
        Self(ShapeKind::Integer { min: min as i128, max: max as i128 })
    }

    /// Returns the shape of any number.
    pub const fn number() -> Self {
        Self(ShapeKind::Number { min: None, max: None })
    }

    /// Returns the shape of a boolean.
    pub const fn boolean() -> Self {
        Self(ShapeKind::Boolean)
    }

    /// Returns the shape of a field whose value is one of these choices.
    pub const fn one_of(choices: &'static [ChoiceEntry]) -> Self {
        Self(ShapeKind::One(choices))
    }

    /// Returns the shape of a field whose value is a list of any number of these choices.
    pub const fn several_of(choices: &'static [ChoiceEntry]) -> Self {
        Self(ShapeKind::Several { choices, count: Bounds::ANY })
    }
}

impl Bounds {
    pub(crate) const ANY: Self = Self { min: None, max: None };
}

impl Format {
    /// Returns the format's name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Date => "date",
            Self::DateTime => "date-time",
        }
    }

    /// Returns the noun that error messages use for the format.
    pub(crate) const fn noun(self) -> &'static str {
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

    /// Checks at compile time that the default of a text field has this format. Every default that passes is also a valid
    /// answer. A URI whose host is an address in brackets is a valid answer, but is rejected as a default.
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
