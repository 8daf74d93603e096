//! The types of settings.

use std::path::PathBuf;

use serde_json::Value;

use crate::engine::elicit::{FormField, Shape, ShapeKind};

/// A type whose values can be settings.
///
/// Implemented for each [`FormField`]: `String`, `bool`, all integers, `f32` and `f64`, [`Email`](crate::elicit::Email),
/// enums with `#[derive(Choice)]`, and with the features `chrono`, `jiff` and `url` the dates, times and URLs of those
/// crates. Also for `PathBuf`, and for a [`Secret`](super::Secret) of one of these types. A field of
/// `#[derive(Settings)]` has one of these types, or an `Option` or a `Vec` of one.
///
/// Implement this trait for your own type:
///
/// ```
/// use std::time::Duration;
///
/// use mcp_runtime::{
///     elicit::Shape,
///     settings::{SettingShape, SettingValue},
/// };
///
/// /// A number of seconds.
/// struct Seconds(Duration);
///
/// impl SettingValue for Seconds {
///     const SHAPE: SettingShape = SettingShape::new(Shape::number()).expecting("a number of seconds, such as `0.5`");
///
///     fn read(text: &str) -> Result<Self, String> {
///         let seconds = text.parse().map_err(|_| "not a number".to_owned())?;
///         Duration::try_from_secs_f64(seconds).map(Self).map_err(|error| error.to_string())
///     }
/// }
/// ```
pub trait SettingValue: Sized {
    /// What the value is.
    const SHAPE: SettingShape;

    /// Reads a value from text.
    ///
    /// # Errors
    /// Fails if the text is not a value. The error says why. It is shown only if the type is not a secret, and if the
    /// shape does not say what is [expected](SettingShape::expecting).
    fn read(text: &str) -> Result<Self, String>;
}

/// What a [`SettingValue`] is: the shape of its text, what is expected, and whether it is a secret.
#[derive(Clone, Copy, Debug)]
pub struct SettingShape {
    pub(super) shape: Shape,
    pub(super) is_secret: bool,
    pub(super) expected: Option<&'static str>,
}

impl SettingShape {
    /// Creates the shape of values that forms can also ask for, such as `Shape::text()`.
    pub const fn new(shape: Shape) -> Self {
        Self { shape, is_secret: false, expected: None }
    }

    /// Sets the noun for valid values in errors: "not …".
    #[must_use]
    pub const fn expecting(self, noun: &'static str) -> Self {
        Self { expected: Some(noun), ..self }
    }

    /// Says that the value is never shown.
    pub(super) const fn secret(self) -> Self {
        Self { is_secret: true, ..self }
    }
}

/// A type that a field of settings can have. It is a [`SettingValue`], or an `Option` or a `Vec` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a setting",
    label = "not text, a path, a number, a boolean or a choice, and not a list of these",
    note = "a setting is one value: write a field for each part of a struct, a tuple or a map, and `String` for `&str`",
    note = "to use an enum without data, put `#[derive(Choice)]` on it; to use your own type, implement `SettingValue` for it"
)]
pub trait SettingType: Sized {
    /// What the type says about the setting.
    const TYPE: TypeOfSetting;

    /// Reads the texts that are given. Without a text, only a setting that is not required has a value.
    #[doc(hidden)]
    fn read_setting(texts: Option<&[String]>) -> Result<Self, Misread>;
}

/// What the type of a field says about the setting.
#[derive(Clone, Copy, Debug)]
pub struct TypeOfSetting {
    pub(super) of_value: SettingShape,
    /// Reads one value, and drops it.
    pub(super) check: fn(&str) -> Result<(), String>,
    pub(super) is_optional: bool,
    pub(super) is_list: bool,
}

impl TypeOfSetting {
    const fn of<T: SettingValue>() -> Self {
        Self { of_value: T::SHAPE, check: |text| T::read(text).map(drop), is_optional: false, is_list: false }
    }
}

/// Why a setting has no value.
#[doc(hidden)]
pub enum Misread {
    /// No text is given.
    Missing,
    /// The text at this position is not valid, for this reason.
    Invalid(usize, String),
}

#[diagnostic::do_not_recommend]
impl<T: SettingValue> SettingType for T {
    const TYPE: TypeOfSetting = TypeOfSetting::of::<T>();

    fn read_setting(texts: Option<&[String]>) -> Result<Self, Misread> {
        let text = texts.and_then(<[_]>::first).ok_or(Misread::Missing)?;
        T::read(text).map_err(|reason| Misread::Invalid(0, reason))
    }
}

#[diagnostic::do_not_recommend]
impl<T: SettingValue> SettingType for Option<T> {
    const TYPE: TypeOfSetting = TypeOfSetting { is_optional: true, ..TypeOfSetting::of::<T>() };

    fn read_setting(texts: Option<&[String]>) -> Result<Self, Misread> {
        texts.map(|texts| T::read_setting(Some(texts))).transpose()
    }
}

#[diagnostic::do_not_recommend]
impl<T: SettingValue> SettingType for Vec<T> {
    const TYPE: TypeOfSetting = TypeOfSetting { is_list: true, ..TypeOfSetting::of::<T>() };

    fn read_setting(texts: Option<&[String]>) -> Result<Self, Misread> {
        let texts = texts.unwrap_or_default().iter().enumerate();
        texts.map(|(at, text)| T::read(text).map_err(|reason| Misread::Invalid(at, reason))).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<T: FormField> SettingValue for T {
    const SHAPE: SettingShape = SettingShape::new(T::SHAPE);

    fn read(text: &str) -> Result<Self, String> {
        T::read(json_of(T::SHAPE, text).ok_or("not a value of this kind")?)
    }
}

#[diagnostic::do_not_recommend]
impl SettingValue for PathBuf {
    const SHAPE: SettingShape = SettingShape::new(Shape::text()).expecting("the path of a file or a directory");

    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() { Err("empty".to_owned()) } else { Ok(text.into()) }
    }
}

/// Returns the answer to a form that has this meaning, or `None` if the text has no meaning for this shape.
fn json_of(shape: Shape, text: &str) -> Option<Value> {
    let trimmed = text.trim();
    match shape.0 {
        ShapeKind::Text { format: None, .. } => Some(text.into()),
        ShapeKind::Text { .. } | ShapeKind::One(_) => Some(trimmed.into()),
        ShapeKind::Integer { min, max } => {
            let number: i128 = trimmed.parse().ok().filter(|number| (min..=max).contains(number))?;
            serde_json::Number::from_i128(number).map(Value::Number)
        }
        ShapeKind::Number { .. } => {
            let number = trimmed.parse().ok().filter(|number: &f64| number.is_finite())?;
            serde_json::Number::from_f64(number).map(Value::Number)
        }
        ShapeKind::Boolean => match &*trimmed.to_ascii_lowercase() {
            "true" | "1" | "yes" | "on" => Some(true.into()),
            "false" | "0" | "no" | "off" => Some(false.into()),
            _ => None,
        },
        // The separators are those of a list of settings.
        ShapeKind::Several { .. } => Some(trimmed.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_notations_of_people() {
        for text in ["true", "1", "yes", "ON", " True "] {
            assert_eq!(<bool as SettingValue>::read(text), Ok(true), "{text}");
        }
        for text in ["false", "0", "No", "off"] {
            assert_eq!(<bool as SettingValue>::read(text), Ok(false), "{text}");
        }
        for text in ["", "2", "y", "maybe"] {
            assert!(<bool as SettingValue>::read(text).is_err(), "{text}");
        }
        assert_eq!(<u16 as SettingValue>::read(" 8080 "), Ok(8080));
        assert_eq!(<i64 as SettingValue>::read("-3"), Ok(-3));
        assert_eq!(<f64 as SettingValue>::read("1e3"), Ok(1000.0));
        for text in ["", "65536", "-1", "8080.0", "0x10", "eighty"] {
            assert!(<u16 as SettingValue>::read(text).is_err(), "{text}");
        }
        for text in ["inf", "NaN", ""] {
            assert!(<f64 as SettingValue>::read(text).is_err(), "{text}");
        }
        assert_eq!(<String as SettingValue>::read(" a "), Ok(" a ".to_owned()), "text is kept as it is");
        assert!(PathBuf::read("").is_err());
    }

    #[test]
    fn options_and_lists_need_no_text() {
        assert!(matches!(Option::<u8>::read_setting(None), Ok(None)));
        assert!(matches!(Vec::<u8>::read_setting(None), Ok(list) if list.is_empty()));
        assert!(matches!(u8::read_setting(None), Err(Misread::Missing)));
        let texts = ["1".to_owned(), "x".to_owned()];
        assert!(matches!(Vec::<u8>::read_setting(Some(&texts)), Err(Misread::Invalid(1, _))));
    }
}
