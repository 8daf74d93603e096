//! What a tool publishes, put together from its types.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::Value;

use super::{OutputFunctions, ToolDefinition};
use crate::tool::StateNeed;

/// An argument that has no default, and whether it may be left out all the same.
type Argument<'a> = (&'a str, fn() -> bool);

/// The definition of a tool that takes an `A` and returns a `T`.
pub fn definition<A: JsonSchema, T>(
    name: &'static str,
    description: &'static str,
    arguments: &[Argument<'_>],
    states: &[Option<StateNeed>],
    output: &OutputFunctions<T>,
) -> ToolDefinition {
    let mut input = generator(SchemaSettings::draft2020_12()).into_root_schema_for::<A>().to_value();
    release_optional(&mut input, arguments);
    let definition = states
        .iter()
        .flatten()
        .fold(ToolDefinition::new(name, description), |definition, state| definition.needs_state(*state));
    let definition = definition.input_schema(input);
    let mut generator = generator(SchemaSettings::draft2020_12().for_serialize());
    match (output.schema)(&mut generator) {
        Some(schema) => definition.output_schema(schema.to_value()),
        None => definition,
    }
}

fn generator(settings: SchemaSettings) -> SchemaGenerator {
    settings.with(|settings| settings.inline_subschemas = true).into_generator()
}

/// Takes those arguments out of `required` that are made of nothing when they are absent.
fn release_optional(schema: &mut Value, arguments: &[Argument<'_>]) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(required)) = object.get_mut("required") {
        required.retain(|name| !arguments.iter().any(|(optional, absent)| name == optional && absent()));
        if required.is_empty() {
            object.remove("required");
        }
    }
}
