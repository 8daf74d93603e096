//! Reads JSON with numbers that are too large for a float. `serde_json` rejects such numbers, but `1e400` is valid
//! JSON, and the model must get an error about the range of the number.

use super::{instance::Instance, number::Number};
use crate::wire::protocol::scan::{NotJson, Scanner, read_string};

/// Reads a JSON text. A number that is too large for a float becomes infinite.
pub(super) fn read(text: &str) -> Result<Instance<'_>, NotJson> {
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
