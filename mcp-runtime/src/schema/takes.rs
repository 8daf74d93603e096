//! Builds the schema of a tool's arguments from its types.

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::parameter::{Parameter, Takes};

impl Takes {
    /// Returns the schema of the arguments: an object.
    pub(crate) fn schema(&self) -> Value {
        let mut generator = generator(SchemaSettings::draft2020_12());
        match self {
            Self::Whole(whole) => (whole.describe)(generator).to_value(),
            Self::Parameters(parameters) => of_parameters(&mut generator, parameters),
        }
    }

    /// Returns the aliases of parameters, each with the published name.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let parameters = match *self {
            Self::Whole(_) => &[],
            Self::Parameters(parameters) => parameters,
        };
        parameters.iter().flat_map(|parameter| parameter.aliases.iter().map(|alias| (*alias, parameter.name)))
    }
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

/// Creates a generator that inlines references where possible.
pub(crate) fn generator(settings: SchemaSettings) -> SchemaGenerator {
    settings.with(|settings| settings.inline_subschemas = true).into_generator()
}
