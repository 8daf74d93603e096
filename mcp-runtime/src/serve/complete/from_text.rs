//! Types that are read from text.

use std::borrow::Cow;

use super::{TextInput, TextKind};
use crate::{
    engine::elicit::{Choice, ChoiceEntry},
    wire::schema::nearest::nearest,
};

/// A type that can be read from text. The arguments of a prompt and the variables of a resource have
/// such types, because clients send them as text.
///
/// Implemented for `String`, `char`, `bool`, all integers and floats, enums with [`#[derive(Choice)]`](macro@crate::Choice),
/// and `Option` of these. An `Option` is an optional argument: it is `None` if the argument is absent or empty.
///
/// Implement it for a type of your own:
///
/// ```
/// use std::borrow::Cow;
///
/// use mcp_runtime::complete::FromText;
///
/// /// The number of an order, such as `A-17`.
/// struct Order(u32);
///
/// impl FromText for Order {
///     fn from_text(text: &str) -> Result<Self, Cow<'static, str>> {
///         let number = text.strip_prefix("A-").and_then(|number| number.parse().ok());
///         number.map(Self).ok_or("the number of an order, such as `A-17`".into())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from text",
    label = "is not text on the wire",
    note = "take a `String`, a number, a `bool`, an enum with `#[derive(Choice)]`, or an `Option` of one of these",
    note = "for a type of your own, implement `mcp_runtime::complete::FromText`"
)]
pub trait FromText: Sized {
    /// Reads the value.
    ///
    /// # Errors
    /// Returns a description of the expected text, such as "an integer". The client gets a message with "must be an
    /// integer".
    fn from_text(text: &str) -> Result<Self, Cow<'static, str>>;

    /// All values, if the type has only a few. Clients get them as completions. Default: none.
    const CHOICES: &'static [ChoiceEntry] = &[];

    /// Whether an argument of this type must be present.
    #[doc(hidden)]
    const IS_REQUIRED: bool = true;

    /// Returns the value of an absent argument.
    #[doc(hidden)]
    fn absent() -> Option<Self> {
        None
    }

    // Generated code uses only this constant, so that a type without the trait causes only one error.
    #[doc(hidden)]
    const INPUT: TextInput<Self> = TextInput {
        read: Self::from_text,
        absent: Self::absent,
        kind: TextKind { is_required: Self::IS_REQUIRED, choices: Self::CHOICES },
    };
}

impl FromText for String {
    fn from_text(text: &str) -> Result<Self, Cow<'static, str>> {
        Ok(text.to_owned())
    }
}

impl<T: FromText> FromText for Option<T> {
    const CHOICES: &'static [ChoiceEntry] = T::CHOICES;
    const IS_REQUIRED: bool = false;

    fn from_text(text: &str) -> Result<Self, Cow<'static, str>> {
        // Hosts send empty text for a field that the user left empty.
        if text.is_empty() { Ok(None) } else { T::from_text(text).map(Some) }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Choice> FromText for T {
    const CHOICES: &'static [ChoiceEntry] = T::CHOICES;

    fn from_text(text: &str) -> Result<Self, Cow<'static, str>> {
        let names = || T::CHOICES.iter().map(ChoiceEntry::name);
        names().position(|name| name == text).and_then(T::at).ok_or_else(|| {
            let all: Vec<_> = names().map(|name| format!("`{name}`")).collect();
            let meant = nearest(text, names()).map(|meant| format!(" (did you mean `{meant}`?)")).unwrap_or_default();
            format!("one of {}{meant}", all.join(", ")).into()
        })
    }
}

const CHOICE_OF_BOOL: &[ChoiceEntry] = &[ChoiceEntry::new("true", None), ChoiceEntry::new("false", None)];

impl FromText for bool {
    const CHOICES: &'static [ChoiceEntry] = CHOICE_OF_BOOL;

    fn from_text(text: &str) -> Result<Self, Cow<'static, str>> {
        text.parse().map_err(|_| "`true` or `false`".into())
    }
}

impl FromText for char {
    fn from_text(text: &str) -> Result<Self, Cow<'static, str>> {
        text.parse().map_err(|_| "one character".into())
    }
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl FromText for $ty {
            fn from_text(text: &str) -> Result<Self, Cow<'static, str>> {
                text.parse().map_err(|_| format!("an integer from {} to {}", Self::MIN, Self::MAX).into())
            }
        }
    )*};
}
integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl FromText for $ty {
            fn from_text(text: &str) -> Result<Self, Cow<'static, str>> {
                text.parse().ok().filter(|number: &Self| number.is_finite()).ok_or("a number".into())
            }
        }
    )*};
}
floats!(f32 f64);
