//! What a tool publishes, put together from its types.

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{Need, Parameter, Takes, ToolDefinition};
use crate::schema::reader::has_parts;

/// The definition of a tool.
pub fn definition(
    name: &'static str,
    description: &'static str,
    takes: Takes,
    needs: &[Need],
    output: fn(&mut SchemaGenerator) -> Option<Schema>,
) -> ToolDefinition {
    let mut definition = ToolDefinition::new(name, description);
    definition.input_schema = input_schema(&takes);
    definition.typed = true;
    // Parameters have each a name of its own already.
    let is_plain = matches!(takes, Takes::Parameters([_, ..])) && !has_parts(&definition.input_schema);
    definition.reads = (!is_plain).then_some(takes);
    for (alias, name) in aliases(&takes) {
        definition = definition.alias(alias, name);
    }
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
pub(super) fn input_schema(takes: &Takes) -> Value {
    let mut generator = generator(SchemaSettings::draft2020_12());
    match takes {
        Takes::Whole(whole) => (whole.describe)(generator).to_value(),
        Takes::Parameters(parameters) => of_parameters(&mut generator, parameters),
    }
}

/// The other names of parameters, each with the published one.
pub(super) fn aliases(takes: &Takes) -> impl Iterator<Item = (&'static str, &'static str)> {
    let parameters = match *takes {
        Takes::Whole(_) => &[],
        Takes::Parameters(parameters) => parameters,
    };
    parameters.iter().flat_map(|parameter| parameter.aliases.iter().map(|alias| (*alias, parameter.name)))
}

fn of_parameters(generator: &mut SchemaGenerator, parameters: &[Parameter]) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for parameter in parameters {
        let (schema, is_required) = parameter.schema(generator);
        properties.insert(parameter.name.to_owned(), schema.to_value());
        if is_required {
            required.push(parameter.name);
        }
    }
    let mut object =
        Map::from_iter([("type".to_owned(), json!("object")), ("additionalProperties".to_owned(), json!(false))]);
    let definitions = generator.take_definitions(true);
    let members = [
        ("properties", !properties.is_empty(), Value::Object(properties)),
        ("required", !required.is_empty(), json!(required)),
        ("$defs", !definitions.is_empty(), Value::Object(definitions)),
    ];
    object.extend(members.into_iter().filter(|(_, there, _)| *there).map(|(key, _, value)| (key.to_owned(), value)));
    Value::Object(object)
}

fn generator(settings: SchemaSettings) -> SchemaGenerator {
    settings.with(|settings| settings.inline_subschemas = true).into_generator()
}
