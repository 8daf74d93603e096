//! The types of form fields.

use std::{borrow::Cow, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shape::{Format, Shape, TypeOfField};
use crate::wire::schema;

/// A type that a field of a form can have.
///
/// Implemented for `String`, `bool`, all integers, `f32` and `f64`, [`Email`], enums with `#[derive(Choice)]` and
/// [`MultiSelect`](crate::elicit::MultiSelect) of such enums. The features `chrono`, `jiff` and `url` add the dates, times and
/// URLs of those crates. A field has one of these types or an `Option` of one.
///
/// Implement this trait for a type that wraps one of these types:
///
/// ```
/// use mcp_runtime::elicit::{FormField, Shape};
/// use serde_json::Value;
///
/// /// The three-letter code of an airport.
/// struct Airport(String);
///
/// impl FormField for Airport {
///     const SHAPE: Shape = String::SHAPE;
///
///     fn read(answer: Value) -> Result<Self, String> {
///         let text = String::read(answer)?;
///         let fits = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
///         if fits { Ok(Self(text)) } else { Err("an airport has three capital letters".into()) }
///     }
///
///     fn write(self) -> Value {
///         self.0.write()
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "not text, a number, a boolean or a choice"
)]
pub trait FormField: Sized + Send + 'static {
    /// The kind of field that the form shows.
    const SHAPE: Shape;

    /// Reads an answer that fits the shape.
    ///
    /// # Errors
    /// Fails if the type rejects the answer. The error says why, and is shown to the user.
    fn read(answer: Value) -> Result<Self, String>;

    /// Converts this value to an answer. [`read`](Self::read) converts that answer back to this value.
    fn write(self) -> Value;
}

/// A type that a field of a form can have. It is a [`FormField`] or an `Option` of a [`FormField`].
///
/// Many clients send a value for a field that their user left alone. An answer `null` to an optional field, or to a field
/// with a default, leaves the field out. So does an empty text, or an empty list of choices, if the field does not accept
/// it: an empty text is a valid `String`, unless the field has a format, choices or a `min_length`.
pub trait FieldType: Sized {
    /// The type without its `Option`.
    type Value: FormField;
    /// The kind of field that the form shows, and whether it is optional.
    const TYPE: TypeOfField;

    /// Reads the answer, if there is one.
    fn read_field(answer: Option<Value>) -> Result<Self, String>;
    /// Converts this value to an answer. [`read_field`](Self::read_field) converts that answer back to this value.
    fn write_field(self) -> Option<Value>;
}

#[diagnostic::do_not_recommend]
impl<T: FormField> FieldType for T {
    type Value = T;
    const TYPE: TypeOfField = TypeOfField { shape: T::SHAPE, optional: false };

    fn read_field(answer: Option<Value>) -> Result<Self, String> {
        answer.map_or_else(|| Err("missing".into()), T::read)
    }

    fn write_field(self) -> Option<Value> {
        Some(T::write(self))
    }
}

#[diagnostic::do_not_recommend]
impl<T: FormField> FieldType for Option<T> {
    type Value = T;
    const TYPE: TypeOfField = TypeOfField { shape: T::SHAPE, optional: true };

    fn read_field(answer: Option<Value>) -> Result<Self, String> {
        answer.map(T::read).transpose()
    }

    fn write_field(self) -> Option<Value> {
        self.map(T::write)
    }
}

#[diagnostic::do_not_recommend]
impl FormField for String {
    const SHAPE: Shape = Shape::text();

    fn read(answer: Value) -> Result<Self, String> {
        match answer {
            Value::String(text) => Ok(text),
            other => Err(format!("{other} is not text")),
        }
    }

    fn write(self) -> Value {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl FormField for bool {
    const SHAPE: Shape = Shape::boolean();

    fn read(answer: Value) -> Result<Self, String> {
        answer.as_bool().ok_or_else(|| format!("{answer} is neither true nor false"))
    }

    fn write(self) -> Value {
        self.into()
    }
}

macro_rules! integers {
    ($($ty:ident: $min:expr, $max:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl FormField for $ty {
            const SHAPE: Shape = Shape::integer($min as i64, $max as u64);

            fn read(answer: Value) -> Result<Self, String> {
                let whole = whole(&answer).and_then(|number| number.try_into().ok());
                whole.ok_or_else(|| format!("{answer} is not a whole number within the field's range"))
            }

            fn write(self) -> Value {
                // JSON parsers do not agree on whole numbers beyond 64 bits.
                let whole = i128::try_from(self).ok().and_then(serde_json::Number::from_i128);
                whole.map_or(Value::Null, Value::Number)
            }
        }
    )*};
}

integers! {
    i8: i8::MIN, i8::MAX;
    i16: i16::MIN, i16::MAX;
    i32: i32::MIN, i32::MAX;
    i64: i64::MIN, i64::MAX;
    i128: i64::MIN, u64::MAX;
    isize: isize::MIN, isize::MAX;
    u8: u8::MIN, u8::MAX;
    u16: u16::MIN, u16::MAX;
    u32: u32::MIN, u32::MAX;
    u64: u64::MIN, u64::MAX;
    u128: u64::MIN, u64::MAX;
    usize: usize::MIN, usize::MAX;
}

/// Returns the whole number that a JSON number equals. The number can have any notation, such as `3`, `3.0` or `3e0`.
fn whole(number: &Value) -> Option<i128> {
    let number = number.as_number()?;
    number.as_i128().or_else(|| {
        let float = number.as_f64()?;
        // All integer fields have values below 2^64.
        (float.fract() == 0.0 && float.abs() < 2f64.powi(65)).then_some(float as i128)
    })
}

#[diagnostic::do_not_recommend]
impl FormField for f64 {
    const SHAPE: Shape = Shape::number();

    fn read(answer: Value) -> Result<Self, String> {
        answer.as_f64().ok_or_else(|| format!("{answer} is not a number"))
    }

    fn write(self) -> Value {
        self.into()
    }
}

/// Reading an answer converts the number to the nearest finite `f32`.
#[diagnostic::do_not_recommend]
impl FormField for f32 {
    const SHAPE: Shape = Shape::number();

    fn read(answer: Value) -> Result<Self, String> {
        let number = <f64 as FormField>::read(answer)?;
        Ok(number.clamp(Self::MIN.into(), Self::MAX.into()) as Self)
    }

    fn write(self) -> Value {
        self.into()
    }
}

/// An e-mail address. A field of this type has the format `email` in the form, and rejects an invalid address. serde
/// represents the address as a string.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Email(String);

impl Email {
    /// Returns the address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The error for text that is not an e-mail address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an e-mail address")]
pub struct NotAnEmail(String);

impl FromStr for Email {
    type Err = NotAnEmail;

    fn from_str(text: &str) -> Result<Self, NotAnEmail> {
        text.to_owned().try_into()
    }
}

impl TryFrom<String> for Email {
    type Error = NotAnEmail;

    fn try_from(text: String) -> Result<Self, NotAnEmail> {
        if schema::format::StringFormat::Email.accepts(&text) { Ok(Self(text)) } else { Err(NotAnEmail(text)) }
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for Email {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Email".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "email" })
    }
}

impl From<Email> for String {
    fn from(email: Email) -> Self {
        email.0
    }
}

#[diagnostic::do_not_recommend]
impl FormField for Email {
    const SHAPE: Shape = Shape::formatted(Format::Email);

    fn read(answer: Value) -> Result<Self, String> {
        Self::try_from(String::read(answer)?).map_err(|error| error.to_string())
    }

    fn write(self) -> Value {
        self.0.into()
    }
}
