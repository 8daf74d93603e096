//! What is published, what is enforced, and what a model and an author read.

#[cfg(feature = "jsonschema")]
mod foreign;
mod formats;
mod keywords;
mod oracle;
mod problems;
mod published;
mod texts;
mod types;
mod verbatim;

use serde_json::Value;

use super::OutputSchema;

/// What is published of the schema of an output.
fn output_schema(schema: Value) -> Result<Value, Vec<String>> {
    OutputSchema::new(schema).map(|schema| serde_json::from_str(schema.published.get()).expect("JSON"))
}
