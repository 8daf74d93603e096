//! What `#[derive(SampleTools)]` makes of a variant.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::definition::{Argument, input_schema};
use crate::sample::SamplingTool;

/// A tool that a model may call, and the variant of `E` that a call of it is.
pub struct SampleVariant<E> {
    pub(crate) name: &'static str,
    description: &'static str,
    schema: fn(SchemaGenerator) -> Schema,
    arguments: &'static [Argument<'static>],
    aliases: &'static [(&'static str, &'static str)],
    pub(crate) read: fn(Map<String, Value>) -> Result<E, String>,
}

impl<E> SampleVariant<E> {
    /// `A` reads the input and describes it.
    pub const fn new<A: JsonSchema>(
        name: &'static str,
        description: &'static str,
        arguments: &'static [Argument<'static>],
        aliases: &'static [(&'static str, &'static str)],
        read: fn(Map<String, Value>) -> Result<E, String>,
    ) -> Self {
        Self { name, description, schema: SchemaGenerator::into_root_schema_for::<A>, arguments, aliases, read }
    }

    /// The tool as the model is told of it.
    pub(crate) fn tool(&self) -> SamplingTool {
        let schema = input_schema(self.schema, self.arguments);
        let tool = SamplingTool::new(self.name, self.description).input_schema(schema);
        self.aliases.iter().fold(tool, |tool, (alias, name)| tool.alias(alias, name))
    }
}

/// Reads the input of a call.
///
/// # Errors
/// It does not fit, in the words of whatever reads it.
pub fn read_variant<A: DeserializeOwned>(input: Map<String, Value>) -> Result<A, String> {
    serde_json::from_value(Value::Object(input)).map_err(|error| error.to_string())
}
