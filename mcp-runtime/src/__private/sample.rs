//! What `#[derive(SampleTools)]` makes of a variant.

use serde_json::{Map, Value};

use super::{Fill, Parameter};
use crate::{
    protocol::text::reason,
    schema::object::{self, Unread},
};

/// Reads the input of a call with a type that reads all of it.
///
/// # Errors
/// It does not fit, in the words of whatever reads it.
pub fn read_variant<T>(input: Map<String, Value>, read: fn(&str) -> serde_json::Result<T>) -> Result<T, String> {
    read(&text(input)).map_err(|error| reason(&error))
}

/// Reads the input of a call, a value for each field.
///
/// # Errors
/// It does not fit, in the words of whatever reads it.
pub fn fill_variant(
    input: Map<String, Value>,
    parameters: &[Parameter],
    slots: &mut [&mut dyn Fill],
) -> Result<(), String> {
    object::read(&text(input), parameters, slots).map_err(|unread| match unread {
        Unread::Value(_, error) => reason(&error),
        Unread::Object(problem) => problem,
    })
}

fn text(input: Map<String, Value>) -> String {
    // A map of values is always written.
    serde_json::to_string(&Value::Object(input)).unwrap_or_default()
}
