//! Tests of published schemas, of their enforcement, and of the messages for models and authors.

#[cfg(feature = "jsonschema")]
mod foreign;
mod formats;
mod keywords;
mod normalize;
mod oracle;
mod portable;
mod problems;
mod published;
mod texts;
mod types;
mod verbatim;

use serde_json::Value;

use super::{InputSchema, OutputSchema, Violations, input::read};

/// Checks arguments as they are, without normalizing them.
fn check_as_sent(schema: &InputSchema, arguments: &str) -> Result<(), Violations> {
    let (value, _) = read(arguments)?;
    schema.hold(value, arguments)
}

/// Returns the published schema of an output.
fn output_schema(schema: Value) -> Result<Value, Vec<String>> {
    OutputSchema::new(schema).map(|schema| serde_json::from_str(schema.published.get()).expect("JSON"))
}
