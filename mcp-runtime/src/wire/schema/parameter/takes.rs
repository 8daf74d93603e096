//! Builds the schema of a tool's arguments from its types.

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

use crate::wire::{
    protocol::json::{object_of_some, set},
    schema::parameter::{Parameter, Takes},
};

impl Takes {
    /// Returns the schema of the arguments object, in JSON Schema 2020-12.
    pub(crate) fn schema(&self) -> Value {
        self.schema_with(generator(SchemaSettings::draft2020_12()))
    }

    /// Returns the schema of the arguments, created with this generator.
    pub(crate) fn schema_with(&self, mut generator: SchemaGenerator) -> Value {
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
        set(&mut properties, parameter.name, schema.to_value());
        if is_required {
            required.push(parameter.name);
        }
    }
    let definitions = generator.take_definitions(true);
    object_of_some([
        ("type", Some("object".into())),
        ("additionalProperties", Some(false.into())),
        ("properties", (!properties.is_empty()).then(|| properties.into())),
        ("required", (!required.is_empty()).then(|| required.into())),
        ("$defs", (!definitions.is_empty()).then(|| definitions.into())),
    ])
}

/// Creates a generator that inlines references where possible.
pub(crate) fn generator(settings: SchemaSettings) -> SchemaGenerator {
    settings.with(|settings| settings.inline_subschemas = true).into_generator()
}
