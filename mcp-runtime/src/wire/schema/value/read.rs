//! Reads JSON text into a value.

use std::{borrow::Cow, cell::Cell, fmt, hash::BuildHasher};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor},
};

use super::{instance::Instance, number::Number};
use crate::wire::protocol::{
    scan::{NotJson, Scanner, read_string},
    text::reason,
};

impl<'a> Instance<'a> {
    /// Parses a JSON text. Also returns whether it contains a whole number that was read as a float, such as `1.0`.
    ///
    /// # Errors
    /// Fails if the text is not JSON.
    pub(crate) fn read(text: &'a str) -> Result<(Self, bool), String> {
        let floats = Cell::new(false);
        let mut reader = serde_json::Deserializer::from_str(text);
        let read = NumberReader(&floats).deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
        match read {
            Ok(value) => Ok((value, floats.get())),
            Err(error) => read_beyond(text).map(|value| (value, true)).map_err(|_| reason(&error)),
        }
    }
}

/// Returns a hash that is equal for equal arguments in any notation, and most likely different for different arguments.
pub(crate) fn fingerprint(arguments: &str, keys: &impl BuildHasher) -> u64 {
    // Text that is not JSON was rejected before.
    Instance::read(arguments).map_or(0, |(value, _)| value.fingerprint(keys))
}

/// Parses a value, and records whether it contains a whole number that was read as a float.
#[derive(Clone, Copy)]
struct NumberReader<'c>(&'c Cell<bool>);

impl<'de> DeserializeSeed<'de> for NumberReader<'_> {
    type Value = Instance<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NumberReader<'_> {
    type Value = Instance<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Instance::Null)
    }

    fn visit_bool<E>(self, bool: bool) -> Result<Self::Value, E> {
        Ok(Instance::Bool(bool))
    }

    fn visit_i64<E>(self, whole: i64) -> Result<Self::Value, E> {
        Ok(Instance::Number(Number::Whole(whole.into())))
    }

    fn visit_u64<E>(self, whole: u64) -> Result<Self::Value, E> {
        Ok(Instance::Number(Number::Whole(whole.into())))
    }

    fn visit_f64<E>(self, float: f64) -> Result<Self::Value, E> {
        let number = Number::from_f64(float);
        if number.is_whole() {
            self.0.set(true);
        }
        Ok(Instance::Number(number))
    }

    fn visit_borrowed_str<E>(self, string: &'de str) -> Result<Self::Value, E> {
        Ok(Instance::String(Cow::Borrowed(string)))
    }

    fn visit_str<E>(self, string: &str) -> Result<Self::Value, E> {
        Ok(Instance::String(Cow::Owned(string.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Instance::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(MemberName(key)) = map.next_key::<MemberName<'de>>()? {
            members.push((key, map.next_value_seed(self)?));
        }
        Ok(Instance::object(members))
    }
}

/// The name of a member. It is borrowed from the text if it contains no escapes. serde always reads a plain `Cow` as an
/// owned string.
#[derive(Deserialize)]
struct MemberName<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads a JSON text. A number that is too large for a float becomes infinite. `serde_json` rejects such numbers, but
/// `1e400` is valid JSON, and the model must get an error about the range of the number.
fn read_beyond(text: &str) -> Result<Instance<'_>, NotJson> {
    // The scanner limits the depth; the code below is recursive.
    Scanner::new(text).value()?;
    value(&mut Scanner::new(text))
}

fn value<'a>(scanner: &mut Scanner<'a>) -> Result<Instance<'a>, NotJson> {
    let mut members = Vec::new();
    let is_object = scanner.object(|scanner, name| {
        members.push((name, value(scanner)?));
        Ok(())
    })?;
    if is_object {
        return Ok(Instance::object(members));
    }
    let mut items = Vec::new();
    let is_array = scanner.elements(|scanner| {
        items.push(value(scanner)?);
        Ok(())
    })?;
    if is_array {
        return Ok(Instance::Array(items));
    }
    Ok(match scanner.value()? {
        "null" => Instance::Null,
        "true" => Instance::Bool(true),
        "false" => Instance::Bool(false),
        text if text.starts_with('"') => Instance::String(read_string(text).ok_or(scanner.error("a string"))?),
        number => Instance::Number(match serde_json::from_str(number) {
            Ok(number) => Number::from_json(&number),
            Err(_) if number.starts_with('-') => Number::Float(f64::NEG_INFINITY),
            Err(_) => Number::Float(f64::INFINITY),
        }),
    })
}
