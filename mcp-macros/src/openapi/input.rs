//! The arguments of an operation: its parameters and its body in one object.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{
    body::{self, Body},
    document::Document,
    parameter::Parameter,
    schema::{SchemaReader, Usage},
    text::{self, LONGEST_OF_ARGUMENT},
};

/// The name of the argument for a body whose members are not arguments themselves.
const BODY: &str = "body";

pub(super) struct Input {
    pub(super) schema: Value,
    /// The arguments that are members of the body. `None` if the body is one argument, which has this name.
    pub(super) members: Option<Vec<String>>,
    pub(super) body_argument: String,
}

/// Returns the schema of the arguments. Gives each parameter an argument of its own.
///
/// # Errors
/// Returns what cannot be described.
pub(super) fn input<'d>(
    document: &'d Document,
    parameters: &mut [(Parameter, &'d Value)],
    body: Option<&Body<'d>>,
    path: &str,
) -> Result<Input, String> {
    let mut schemas = SchemaReader::new(document, Usage::Arguments);
    let (mut properties, mut required) = (Map::new(), Vec::new());
    let mut taken = HashSet::new();
    for (parameter, schema) in parameters {
        // Two parameters can have one name in two places.
        if !taken.insert(parameter.argument.clone()) {
            parameter.argument = format!("{}_{}", parameter.place.word(), parameter.argument);
            if !taken.insert(parameter.argument.clone()) {
                return Err(format!("two parameters are named `{}`", parameter.name));
            }
        }
        let mut property = schemas.convert(schema)?;
        let description = described(&schemas, parameter.description.as_deref(), schema);
        let fallback = || format!("`{}` in the {} of `{path}`.", parameter.name, parameter.place.word());
        describe(&mut property, description, &fallback);
        properties.insert(parameter.argument.clone(), property);
        if parameter.is_required {
            required.push(parameter.argument.clone());
        }
    }
    let lifted = body.and_then(|body| body.lifted(document, |name| taken.contains(name)));
    let mut members = None;
    let mut body_argument = BODY.to_owned();
    if let Some(schema) = lifted {
        let converted = schemas.convert(schema)?;
        let mut lifted = converted["properties"].as_object().cloned().unwrap_or_default();
        for name in body::undescribed(schema) {
            lifted.insert(name.to_owned(), json!({ "description": format!("`{name}` in the body of `{path}`.") }));
        }
        members = Some(lifted.keys().cloned().collect());
        let of_body = converted["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        required.extend(of_body.filter(|name| lifted.contains_key(*name)).map(str::to_owned));
        properties.extend(lifted);
    } else if let Some(body) = body {
        while taken.contains(&body_argument) {
            body_argument.push('_');
        }
        let mut property = schemas.convert(body.schema)?;
        let description = described(&schemas, body.description, body.schema);
        describe(&mut property, description, &|| "The body of the request.".to_owned());
        properties.insert(body_argument.clone(), property);
        if body.is_required {
            required.push(body_argument.clone());
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    Ok(Input { schema: schemas.finish(schema), members, body_argument })
}

/// Returns the description that stands beside a schema, with what that of the schema would say about its members.
fn described(schemas: &SchemaReader<'_>, text: Option<&str>, schema: &Value) -> Option<String> {
    let text = text::plain(text?, LONGEST_OF_ARGUMENT);
    Some(match schemas.other_members(schema) {
        Some(others) => format!("{text}\n{others}"),
        None => text,
    })
}

/// Sets the description of a property: its own text, that of its schema, or at last `fallback`.
fn describe(property: &mut Value, description: Option<String>, fallback: &dyn Fn() -> String) {
    if *property == true {
        *property = json!({});
    }
    let Some(keywords) = property.as_object_mut() else { return };
    match description {
        Some(description) => _ = keywords.insert("description".to_owned(), description.into()),
        None => _ = keywords.entry("description").or_insert_with(|| fallback().into()),
    }
}
