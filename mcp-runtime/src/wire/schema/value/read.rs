//! Reads JSON text into a value.

use serde_json::{Number as JsonNumber, Value};

use super::{instance::Instance, number::Number};
use crate::wire::protocol::{
    scan::{NotJson, Scanner, read_string},
    text::reason,
};

impl<'a> Instance<'a> {
    /// Parses a JSON text. Also returns whether it contains a whole number that is not written as an integer, such as
    /// `1.0`.
    ///
    /// # Errors
    /// Fails if the text is not JSON.
    pub(crate) fn read(text: &'a str) -> Result<(Self, bool), String> {
        let mut scanner = Scanner::new(text);
        let mut reader = InstanceReader { depth: 0, has_whole_floats: false };
        let read = reader.value(&mut scanner).and_then(|value| scanner.end().map(|()| value));
        match read {
            Ok(value) => Ok((value, reader.has_whole_floats)),
            // The errors of `serde_json` say more, but it rejects some valid numbers.
            Err(error) => Err(match serde_json::from_str::<Value>(text) {
                Err(error) => reason(&error),
                Ok(_) => error.to_string(),
            }),
        }
    }
}

struct InstanceReader {
    /// The number of values around the current one, which is limited because the code is recursive.
    depth: u32,
    has_whole_floats: bool,
}

impl InstanceReader {
    const DEEPEST: u32 = 128;

    fn value<'a>(&mut self, scanner: &mut Scanner<'a>) -> Result<Instance<'a>, NotJson> {
        if self.depth > Self::DEEPEST {
            return Err(scanner.error("at most 128 levels of nesting"));
        }
        self.depth += 1;
        let value = self.container(scanner)?;
        self.depth -= 1;
        if let Some(value) = value {
            return Ok(value);
        }
        Ok(match scanner.value()? {
            "null" => Instance::Null,
            "true" => Instance::Bool(true),
            "false" => Instance::Bool(false),
            text if text.starts_with('"') => {
                Instance::String(read_string(text).ok_or_else(|| scanner.error("a string"))?)
            }
            number => Instance::Number(self.number(number)),
        })
    }

    /// Reads an object or an array. Returns `None` if the next value is neither.
    fn container<'a>(&mut self, scanner: &mut Scanner<'a>) -> Result<Option<Instance<'a>>, NotJson> {
        let mut members = Vec::new();
        let is_object = scanner.object(|scanner, name| {
            members.push((name, self.value(scanner)?));
            Ok(())
        })?;
        if is_object {
            return Ok(Some(Instance::object(members)));
        }
        let mut items = Vec::new();
        let is_array = scanner.elements(|scanner| {
            items.push(self.value(scanner)?);
            Ok(())
        })?;
        Ok(is_array.then_some(Instance::Array(items)))
    }

    /// Reads a number. A number that is too large for a float becomes infinite. `serde_json` rejects such numbers, but
    /// `1e400` is valid JSON, and the model must get an error about the range of the number.
    fn number(&mut self, text: &str) -> Number {
        // Most numbers are short. `-0` is a float, as for serde.
        if text != "-0"
            && let Ok(whole) = text.parse::<i64>()
        {
            return Number::Whole(whole.into());
        }
        let number = match serde_json::from_str::<JsonNumber>(text) {
            Ok(number) if !number.is_f64() => return Number::from_json(&number),
            Ok(number) => Number::from_json(&number),
            Err(_) if text.starts_with('-') => Number::Float(f64::NEG_INFINITY),
            Err(_) => Number::Float(f64::INFINITY),
        };
        self.has_whole_floats |= number.is_whole();
        number
    }
}
