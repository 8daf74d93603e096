//! The OpenAPI 3.1 document of a contract.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use utoipa::openapi::{
    Content, HttpMethod, Info, OpenApi, Paths, Ref, RefOr, Required, Response, Schema, Tag,
    header::HeaderBuilder,
    path::{Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn},
    request_body::{RequestBody, RequestBodyBuilder},
    response::ResponseBuilder,
};

use super::{field::QueryField, input::has_body};
use crate::apps::contract::{Descriptor, MethodDescriptor, ResourceDescriptor, types::refer_to};

pub(super) fn document(descriptor: &Descriptor) -> Value {
    let mut info = Info::new(&descriptor.name, &descriptor.version);
    info.description.clone_from(&descriptor.description);
    let mut writer = Writer { descriptor, schemas: Vec::new(), problem: problem_name(&descriptor.types) };
    let mut paths = Paths::new();
    for resource in &descriptor.resources {
        for method in &resource.methods {
            let operation = writer.operation(resource, method);
            paths.add_path_operation(&method.http.path, vec![http_method(&method.http.verb)], operation);
        }
    }
    let mut api = OpenApi::new(info, paths);
    let tags = descriptor.resources.iter().map(|resource| {
        let mut tag = Tag::new(&resource.name);
        tag.description.clone_from(&resource.description);
        tag
    });
    api.tags = Some(tags.collect());
    writer.finish(&api)
}

/// Writes operations. The document's Rust types cannot represent all of JSON Schema. So each schema is first replaced
/// by a reference to a number, and [`finish`](Self::finish) puts the schemas back.
struct Writer<'a> {
    descriptor: &'a Descriptor,
    schemas: Vec<Value>,
    /// The name of the schema for error responses.
    problem: String,
}

/// The prefix of a reference to a numbered schema.
const NUMBERED: &str = "number:";

impl Writer<'_> {
    fn operation(&mut self, resource: &ResourceDescriptor, method: &MethodDescriptor) -> Operation {
        let (summary, rest) = method.description.split_once('\n').unwrap_or((&method.description, ""));
        let summary = method.title.as_deref().unwrap_or(summary.trim());
        let description = Some(rest.trim()).filter(|rest| !rest.is_empty());
        let operation = OperationBuilder::new()
            .operation_id(Some(format!("{}_{}", resource.name, method.name)))
            .tag(&resource.name)
            .summary(Some(summary))
            .description(if method.title.is_some() { Some(&*method.description) } else { description })
            .parameters(Some(self.parameters(method)))
            .request_body(self.request_body(method));
        self.responses(operation, method).build()
    }

    fn parameters(&mut self, method: &MethodDescriptor) -> Vec<Parameter> {
        let descriptor = self.descriptor;
        let Some(fields) = descriptor.fields(method) else { return Vec::new() };
        let required = required(descriptor.resolve(&method.input));
        let in_path: Vec<_> = method.http.parameters().collect();
        let mut parameters = Vec::new();
        for name in &in_path {
            if let Some(schema) = fields.get(*name) {
                parameters.push(self.parameter(name, schema, ParameterIn::Path, true));
            }
        }
        let in_query = fields.iter().filter(|(name, _)| !has_body(&method.http.verb) && !in_path.contains(&&***name));
        for (name, schema) in in_query {
            parameters.push(self.parameter(name, schema, ParameterIn::Query, required.contains(&&**name)));
        }
        parameters
    }

    fn parameter(&mut self, name: &str, schema: &Value, place: ParameterIn, is_required: bool) -> Parameter {
        let mut schema = schema.clone();
        let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        remove_null(&mut schema);
        let parameter = ParameterBuilder::new()
            .name(name)
            .parameter_in(place)
            .required(if is_required { Required::True } else { Required::False })
            .description(description.as_ref().and_then(Value::as_str));
        // An object in a query is JSON text.
        match QueryField::of(&schema, self.descriptor) {
            QueryField::Json => parameter.content("application/json", self.content(schema)).build(),
            _ => parameter.schema(Some(self.schema(schema))).build(),
        }
    }

    fn request_body(&mut self, method: &MethodDescriptor) -> Option<RequestBody> {
        let fields = self.descriptor.fields(method);
        let in_path: Vec<_> = method.http.parameters().collect();
        let is_empty = fields.is_some_and(|fields| fields.keys().all(|name| in_path.contains(&&**name)));
        if !has_body(&method.http.verb) || is_empty {
            return None;
        }
        let whole = self.descriptor.resolve(&method.input);
        let needed = required(whole).iter().any(|name| !in_path.contains(name));
        let schema = if in_path.is_empty() { method.input.clone() } else { without(whole, &in_path) };
        let content = self.content(schema);
        let required = if needed || fields.is_none() { Required::True } else { Required::False };
        Some(RequestBodyBuilder::new().content("application/json", content).required(Some(required)).build())
    }

    fn responses(&mut self, mut operation: OperationBuilder, method: &MethodDescriptor) -> OperationBuilder {
        let mut success = ResponseBuilder::new().description("Success");
        if method.has_output() {
            success = success.content("application/json", self.content(method.output.clone()));
        }
        if method.http.status == 201 {
            let uri = self.schema(json!({ "type": "string", "format": "uri-reference" }));
            let header = HeaderBuilder::new().schema(Some(uri)).description(Some("The path of the new item"));
            success = success.header("Location", header.build());
        }
        operation = operation.response(method.http.status.to_string(), success.build());
        let mut statuses: Vec<u16> = method.errors.iter().flat_map(|error| error.statuses.iter().copied()).collect();
        if has_body(&method.http.verb) {
            statuses.extend([400, 413, 415]);
        }
        statuses.push(422);
        statuses.sort_unstable();
        statuses.dedup();
        for status in statuses {
            let name = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
            operation = operation.response(status.to_string(), self.error(name.unwrap_or("Error")));
        }
        operation.response("default", self.error("Any other error"))
    }

    fn error(&self, description: &str) -> Response {
        let schema = Ref::new(format!("{COMPONENTS}{}", self.problem));
        let content = Content::new(Some(RefOr::<Schema>::Ref(schema)));
        ResponseBuilder::new().description(description).content("application/problem+json", content).build()
    }

    fn content(&mut self, schema: Value) -> Content {
        Content::new(Some(self.schema(schema)))
    }

    /// Stores this schema, and returns a reference to its number.
    fn schema(&mut self, schema: Value) -> RefOr<Schema> {
        self.schemas.push(schema);
        RefOr::Ref(Ref::new(format!("{NUMBERED}{}", self.schemas.len() - 1)))
    }

    /// Returns the document, with schemas in place of numbers.
    fn finish(mut self, api: &OpenApi) -> Value {
        let mut document = serde_json::to_value(api).unwrap_or_default();
        self.insert_schemas(&mut document);
        let mut types = self.descriptor.types.clone();
        types.insert(self.problem, problem_schema());
        document["components"] = json!({ "schemas": types });
        refer_to(&mut document, COMPONENTS);
        document
    }

    fn insert_schemas(&mut self, value: &mut Value) {
        let number =
            value["$ref"].as_str().and_then(|reference| reference.strip_prefix(NUMBERED)?.parse::<usize>().ok());
        match (number, value) {
            (Some(number), value) => *value = self.schemas[number].take(),
            (None, Value::Object(object)) => object.values_mut().for_each(|value| self.insert_schemas(value)),
            (None, Value::Array(values)) => values.iter_mut().for_each(|value| self.insert_schemas(value)),
            _ => {}
        }
    }
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

fn http_method(verb: &str) -> HttpMethod {
    match verb {
        "GET" => HttpMethod::Get,
        "PUT" => HttpMethod::Put,
        "PATCH" => HttpMethod::Patch,
        "DELETE" => HttpMethod::Delete,
        _ => HttpMethod::Post,
    }
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
