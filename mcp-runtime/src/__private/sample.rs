//! The runtime part of `#[derive(SampleTools)]` for one variant.

use serde_json::{Map, Value};

use super::{Fill, Parameter};
use crate::wire::{
    protocol::text::reason,
    schema::parameter::object::{self, Unread},
};

/// Deserializes the whole input of a tool call as one `T`.
///
/// # Errors
/// Returns the deserializer's message if the input does not fit.
pub fn read_variant<T>(input: Map<String, Value>, read: fn(&str) -> serde_json::Result<T>) -> Result<T, String> {
    read(&text(input)).map_err(|error| reason(&error))
}

/// Reads the input of a tool call into one slot for each field.
///
/// # Errors
/// Returns the deserializer's message if the input does not fit.
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
    // A map of values always serializes.
    serde_json::to_string(&Value::Object(input)).unwrap_or_default()
}
