//! What a field of a form can be: all that the protocol knows, and nothing else.

use super::ChoiceEntry;

/// What a field of a form holds: text, a number, a boolean, one or several of fixed choices.
///
/// A nested object or a list of free values has no shape, so that no [`FormField`](super::FormField) can be one.
#[derive(Clone, Copy, Debug)]
pub struct Shape(pub(crate) Kind);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Text { length: Bounds, format: Option<Format> },
    Integer { min: i128, max: i128 },
    Number { min: Option<Literal>, max: Option<Literal> },
    Boolean,
    One(&'static [ChoiceEntry]),
    Several { choices: &'static [ChoiceEntry], count: Bounds },
}

/// How long a text or a list may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) min: Option<u32>,
    pub(crate) max: Option<u32>,
}

/// The formats of text that a form knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// An e-mail address.
    Email,
    /// An absolute URI (RFC 3986).
    Uri,
    /// A day: `2026-07-28` (RFC 3339).
    Date,
    /// A moment: `2026-07-28T09:30:00Z` (RFC 3339).
    DateTime,
}

/// A value that stands in the source: a default, a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// Text, the name of a choice, a date.
    Text(&'static str),
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// Any other number.
    Float(f64),
    /// Names of choices.
    List(&'static [&'static str]),
}

/// The shape of a field, and whether it may be left empty.
#[derive(Clone, Copy, Debug)]
pub struct TypeOfField {
    pub(crate) shape: Shape,
    pub(crate) optional: bool,
}

impl Shape {
    /// Any text.
    pub const fn text() -> Self {
        Self(Kind::Text { length: Bounds::ANY, format: None })
    }

    /// Text of a format.
    pub const fn formatted(format: Format) -> Self {
        Self(Kind::Text { length: Bounds::ANY, format: Some(format) })
    }

    /// A whole number between two others, both included.
    pub const fn integer(min: i64, max: u64) -> Self {
        Self(Kind::Integer { min: min as i128, max: max as i128 })
    }

    /// Any number.
    pub const fn number() -> Self {
        Self(Kind::Number { min: None, max: None })
    }

    /// Yes or no.
    pub const fn boolean() -> Self {
        Self(Kind::Boolean)
    }

    /// One of these.
    pub const fn one_of(choices: &'static [ChoiceEntry]) -> Self {
        Self(Kind::One(choices))
    }

    /// Any number of these.
    pub const fn several_of(choices: &'static [ChoiceEntry]) -> Self {
        Self(Kind::Several { choices, count: Bounds::ANY })
    }
}

impl Bounds {
    pub(crate) const ANY: Self = Self { min: None, max: None };
}

impl Format {
    /// Its name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Date => "date",
            Self::DateTime => "date-time",
        }
    }
}
