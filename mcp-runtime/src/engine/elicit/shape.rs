//! The kinds of form fields that the protocol supports.

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
}
