//! The OpenAPI 3.1 document of a contract.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::input::{QueryField, has_body};
use crate::{
    apps::contract::{Descriptor, MethodDescriptor, ResourceDescriptor, describe::types::refer_to},
    wire::protocol::json::{object, object_of_some},
};

pub(super) fn document(descriptor: &Descriptor) -> Value {
    let writer = Writer { descriptor, problem: problem_name(&descriptor.types) };
    let mut paths = Map::new();
    for (resource, method) in descriptor.methods() {
        let path = paths.entry(&*method.http.path).or_insert_with(|| json!({}));
        path[method.http.verb.to_lowercase()] = writer.operation(resource, method);
    }
    let mut schemas = descriptor.types.clone();
    schemas.insert(writer.problem, problem_schema());
    let tags: Vec<_> = descriptor.resources.iter().map(ResourceDescriptor::tag).collect();
    let info = object_of_some([
        ("title", Some((&*descriptor.name).into())),
        ("description", descriptor.description.as_deref().map(Value::from)),
        ("version", Some((&*descriptor.version).into())),
    ]);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": info,
        "paths": paths,
        "components": { "schemas": schemas },
        "tags": tags,
    });
    refer_to(&mut document, COMPONENTS);
    document
}

struct Writer<'a> {
    descriptor: &'a Descriptor,
    /// The name of the schema for error responses.
    problem: String,
}

impl Writer<'_> {
    fn operation(&self, resource: &ResourceDescriptor, method: &MethodDescriptor) -> Value {
        let (summary, description) = method.summary();
        object_of_some([
            ("tags", Some(json!([resource.name]))),
            ("summary", Some(summary.into())),
            ("description", Some(description.into()).filter(|_| !description.is_empty())),
            ("operationId", Some(format!("{}_{}", resource.name, method.name).into())),
            ("parameters", Some(self.parameters(method).into())),
            ("requestBody", self.request_body(method)),
            ("responses", Some(self.responses(method))),
        ])
    }

    fn parameters(&self, method: &MethodDescriptor) -> Vec<Value> {
        let Some(fields) = self.descriptor.fields(method) else { return Vec::new() };
        let required = required(self.descriptor.resolve(&method.input));
        let in_path: Vec<_> = method.http.parameters().collect();
        let of_path = in_path.iter().filter_map(|name| Some((*name, fields.get(*name)?)));
        let of_path = of_path.map(|(name, schema)| self.parameter(name, schema, "path", true));
        let in_query = fields.iter().filter(|(name, _)| !has_body(&method.http.verb) && !in_path.contains(&&***name));
        let in_query =
            in_query.map(|(name, schema)| self.parameter(name, schema, "query", required.contains(&&**name)));
        of_path.chain(in_query).collect()
    }

    fn parameter(&self, name: &str, schema: &Value, place: &str, is_required: bool) -> Value {
        let mut schema = schema.clone();
        let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        remove_null(&mut schema);
        // An object in a query is JSON text.
        let is_json = QueryField::of(&schema, self.descriptor) == QueryField::Json;
        let (schema, content) = if is_json { (None, Some(content(JSON, schema))) } else { (Some(schema), None) };
        object_of_some([
            ("name", Some(name.into())),
            ("in", Some(place.into())),
            ("description", description.filter(Value::is_string)),
            ("required", Some(is_required.into())),
            ("schema", schema),
            ("content", content),
        ])
    }

    fn request_body(&self, method: &MethodDescriptor) -> Option<Value> {
        let fields = self.descriptor.fields(method);
        let in_path: Vec<_> = method.http.parameters().collect();
        let is_empty = fields.is_some_and(|fields| fields.keys().all(|name| in_path.contains(&&**name)));
        if !has_body(&method.http.verb) || is_empty {
            return None;
        }
        let whole = self.descriptor.resolve(&method.input);
        let is_required = fields.is_none() || required(whole).iter().any(|name| !in_path.contains(name));
        let schema = if in_path.is_empty() { method.input.clone() } else { without(whole, &in_path) };
        Some(json!({ "content": content(JSON, schema), "required": is_required }))
    }

    fn responses(&self, method: &MethodDescriptor) -> Value {
        let mut success = json!({ "description": "Success" });
        if method.http.status == 201 {
            success["headers"]["Location"] = json!({
                "schema": { "type": "string", "format": "uri-reference" },
                "description": "The path of the new item",
            });
        }
        if method.has_output() {
            success["content"] = content(JSON, method.output.clone());
        }
        let mut responses = json!({ method.http.status.to_string(): success });
        let mut statuses: Vec<u16> = method.errors.iter().flat_map(|error| error.statuses.iter().copied()).collect();
        if has_body(&method.http.verb) {
            statuses.extend([400, 413, 415]);
        }
        statuses.push(422);
        statuses.sort_unstable();
        statuses.dedup();
        for status in statuses {
            let name = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
            responses[status.to_string()] = self.error(name.unwrap_or("Error"));
        }
        responses["default"] = self.error("Any other error");
        responses
    }

    fn error(&self, description: &str) -> Value {
        let schema = json!({ "$ref": format!("{COMPONENTS}{}", self.problem) });
        json!({ "description": description, "content": content("application/problem+json", schema) })
    }
}

const JSON: &str = "application/json";

fn content(media_type: &str, schema: Value) -> Value {
    object([(media_type, object([("schema", schema)]))])
}

/// The start of each `$ref` to a named type in a document.
const COMPONENTS: &str = "#/components/schemas/";

/// Removes `null` from the types in a schema. A parameter is text, so it cannot be `null`. Clients can omit an optional
/// parameter instead.
fn remove_null(schema: &mut Value) {
    let is_null = |value: &Value| value == "null" || value["type"] == "null";
    for key in ["type", "anyOf", "enum"] {
        if let Some(Value::Array(values)) = schema.get_mut(key) {
            values.retain(|value| !is_null(value) && !value.is_null());
            if let ("type", [only]) = (key, &**values) {
                schema["type"] = only.clone();
            }
        }
    }
}

fn required(input: &Value) -> Vec<&str> {
    input["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns the schema of an object without these fields.
fn without(schema: &Value, fields: &[&str]) -> Value {
    let mut schema = schema.clone();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| !fields.contains(&&**name));
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| !name.as_str().is_some_and(|name| fields.contains(&name)));
    }
    schema
}

/// Returns a name for the schema of error responses. No type of the contract has this name.
fn problem_name(types: &Map<String, Value>) -> String {
    let mut name = "Problem".to_owned();
    while types.contains_key(&name) {
        name.push_str("Details");
    }
    name
}

fn problem_schema() -> Value {
    json!({
        "type": "object",
        "description": "An error: RFC 9457.",
        "properties": {
            "type": { "type": "string", "format": "uri-reference" },
            "title": { "type": "string" },
            "status": { "type": "integer", "minimum": 400, "maximum": 599 },
            "detail": { "type": "string" },
            "errors": {
                "type": "array",
                "items": { "type": "string" },
                "description": "The mistakes in the input, one text each."
            }
        },
        "required": ["type", "title", "status"]
    })
}
