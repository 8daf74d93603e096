//! Builds the schema of a tool's arguments from its types. Code of an author that panics then becomes an error: the
//! function of a default, or an own `JsonSchema`.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings};
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

    /// Returns the schema of the arguments object, like [`schema`](Self::schema).
    ///
    /// # Errors
    /// Fails if code of the author panics. The error is a message for the author, and names the parameter.
    pub(crate) fn try_schema(&self) -> Result<Value, String> {
        caught(|| self.schema()).map_err(|reason| {
            let parameters = match self {
                Self::Whole(_) => &[],
                Self::Parameters(parameters) => *parameters,
            };
            let found = parameters.iter().find_map(panicking);
            found.unwrap_or_else(|| in_type("the schema of the arguments", &reason))
        })
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

impl Parameter {
    /// Returns the schema of the value, and whether the argument is required.
    pub(crate) fn schema(&self, generator: &mut SchemaGenerator) -> (Schema, bool) {
        let schema = (self.functions.describe)(generator);
        let (mut schema, required) =
            if self.functions.describes_property { only_property(schema) } else { (schema, true) };
        let (title, description) = title_and_description(self.doc);
        for (key, text) in [("title", title), ("description", description)] {
            if !text.is_empty() {
                schema.insert(key.to_owned(), text.into());
            }
        }
        if let Some(default) = self.default() {
            schema.insert("default".to_owned(), default);
        }
        (schema, required && (self.functions.absent)().is_none())
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

/// Returns the schema of an object's only property, and whether it is required.
fn only_property(mut object: Schema) -> (Schema, bool) {
    let required = object.get("required").is_some();
    let property = object.get_mut("properties").and_then(Value::as_object_mut);
    let schema = property.and_then(|properties| properties.values_mut().next()).map(Value::take);
    (schema.and_then(|schema| Schema::try_from(schema).ok()).unwrap_or_default(), required)
}

/// Splits a doc comment as `schemars` does: a heading at its start is the title.
fn title_and_description(doc: &str) -> (&str, &str) {
    let doc = doc.trim_ascii();
    if !doc.starts_with('#') {
        return ("", doc);
    }
    let (title, description) = doc.split_once('\n').unwrap_or((doc, ""));
    (title.trim_start_matches('#').trim_ascii(), description.trim_ascii())
}

/// Creates a generator that inlines references where possible.
pub(crate) fn generator(settings: SchemaSettings) -> SchemaGenerator {
    settings.with(|settings| settings.inline_subschemas = true).into_generator()
}

/// Returns a message if the default or the schema of this parameter panics.
fn panicking(parameter: &Parameter) -> Option<String> {
    let name = parameter.name;
    if let Err(reason) = caught(|| parameter.default()) {
        return Some(format!("the default of `{name}` panics: {reason}"));
    }
    let described = caught(|| parameter.schema(&mut generator(SchemaSettings::draft2020_12())));
    described.err().map(|reason| in_type(&format!("the schema of `{name}`"), &reason))
}

fn in_type(what: &str, reason: &str) -> String {
    format!("{what} cannot be made, because code of its type panics, such as the default of a field: {reason}")
}

/// Runs code of the author. If it panics, returns the message of the panic.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| message(&*panic).to_owned())
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("the panic has no message")
}
