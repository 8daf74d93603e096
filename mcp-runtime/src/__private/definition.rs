//! What a tool publishes, put together from its types.

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Need, OutputFunctions, ToolDefinition};

/// An argument that has no default, and whether it may be left out all the same.
pub(super) type Argument<'a> = (&'a str, fn() -> bool);

/// The definition of a tool that takes an `A` and returns a `T`.
pub fn definition<A: DeserializeOwned + JsonSchema, T>(
    name: &'static str,
    description: &'static str,
    arguments: &[Argument<'_>],
    needs: &[Need],
    output: &OutputFunctions<T>,
) -> ToolDefinition {
    let input = SchemaGenerator::into_root_schema_for::<A>;
    let mut definition = ToolDefinition::new(name, description);
    definition.reads = Some(|text| serde_json::from_str::<A>(text).map(drop));
    of_schemas(definition, input, arguments, needs, output.schema)
}

/// The same without types of the author, so that it is compiled once.
fn of_schemas(
    mut definition: ToolDefinition,
    input: fn(SchemaGenerator) -> Schema,
    arguments: &[Argument<'_>],
    needs: &[Need],
    output: fn(&mut SchemaGenerator) -> Option<Schema>,
) -> ToolDefinition {
    definition.input_schema = input_schema(input, arguments);
    definition.typed = true;
    for need in needs {
        match need {
            Need::Nothing => {}
            Need::State(state) => definition.states.push(*state),
            Need::Forms(forms, rounds) => definition = definition.with_forms(forms, *rounds),
        }
    }
    let output = output(&mut generator(SchemaSettings::draft2020_12().for_serialize()));
    definition.output_schema = output.map(Schema::to_value);
    definition
}

/// The schema of an object of arguments.
pub(super) fn input_schema(input: fn(SchemaGenerator) -> Schema, arguments: &[Argument<'_>]) -> Value {
    let mut input = input(generator(SchemaSettings::draft2020_12())).to_value();
    release_optional(&mut input, arguments);
    input
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
