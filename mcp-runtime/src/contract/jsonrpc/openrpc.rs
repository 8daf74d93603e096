//! The [OpenRPC](https://spec.open-rpc.org) document of a contract.

use serde_json::{Map, Value, json};

use crate::{
    contract::{Descriptor, MethodDescriptor, ResourceDescriptor, types::refer_to},
    protocol::error::METHOD_FAILED,
};

pub(super) fn document(descriptor: &Descriptor) -> Value {
    let methods = descriptor
        .resources
        .iter()
        .flat_map(|resource| resource.methods.iter().map(move |method| self::method(descriptor, resource, method)));
    let mut document = json!({
        "openrpc": "1.3.2",
        "info": { "title": descriptor.name, "version": descriptor.version },
        "methods": methods.collect::<Vec<_>>(),
        "components": { "schemas": descriptor.types },
    });
    if let Some(description) = &descriptor.description {
        document["info"]["description"] = json!(description);
    }
    refer_to(&mut document, "#/components/schemas/");
    document
}

fn method(descriptor: &Descriptor, resource: &ResourceDescriptor, method: &MethodDescriptor) -> Value {
    let (summary, rest) = method.description.split_once('\n').unwrap_or((&method.description, ""));
    let mut members = Map::new();
    members.insert("name".to_owned(), json!(format!("{}.{}", resource.name, method.name)));
    members.insert("summary".to_owned(), json!(method.title.as_deref().unwrap_or(summary.trim())));
    let description = if method.title.is_some() { &method.description } else { rest.trim() };
    if !description.is_empty() {
        members.insert("description".to_owned(), json!(description));
    }
    members.insert("tags".to_owned(), json!([tag(resource)]));
    let (structure, params) = params(descriptor, method);
    members.insert("paramStructure".to_owned(), json!(structure));
    members.insert("params".to_owned(), params);
    members.insert("result".to_owned(), json!({ "name": "result", "schema": method.output }));
    if !method.errors.is_empty() {
        let errors = method.errors.iter().map(|error| {
            let statuses = json!({ "statuses": error.statuses });
            let mut object = json!({ "code": METHOD_FAILED, "message": error.name });
            if !error.statuses.is_empty() {
                object["data"] = statuses;
            }
            object
        });
        members.insert("errors".to_owned(), errors.collect());
    }
    Value::Object(members)
}

fn tag(resource: &ResourceDescriptor) -> Value {
    match &resource.description {
        Some(description) => json!({ "name": resource.name, "description": description }),
        None => json!({ "name": resource.name }),
    }
}

/// Returns how params can be sent, and one descriptor for each field of the input.
fn params(descriptor: &Descriptor, method: &MethodDescriptor) -> (&'static str, Value) {
    let Some(fields) = descriptor.fields(method) else {
        // The whole object is one value, which has no place in an array of params.
        let all = json!([{ "name": "params", "schema": method.input, "required": true }]);
        return ("by-name", all);
    };
    let required = &descriptor.resolve(&method.input)["required"];
    let params = fields.iter().map(|(name, schema)| {
        let is_required = required.as_array().is_some_and(|names| names.iter().any(|other| other == name));
        let mut param = json!({ "name": name, "required": is_required, "schema": schema });
        if let Some(description) = schema.get("description") {
            param["description"] = description.clone();
        }
        param
    });
    ("either", params.collect())
}
