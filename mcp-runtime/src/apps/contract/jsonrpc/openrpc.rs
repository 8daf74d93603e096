//! The [OpenRPC](https://spec.open-rpc.org) document of a contract.

use serde_json::{Map, Value, json};

use crate::{
    apps::contract::{Descriptor, MethodDescriptor, ResourceDescriptor, describe::types::refer_to},
    wire::protocol::error::METHOD_FAILED,
};

pub(super) fn document(descriptor: &Descriptor) -> Value {
    let methods = descriptor.methods().map(|(resource, method)| self::method(descriptor, resource, method));
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
    let (summary, description) = method.summary();
    let mut members = Map::new();
    members.insert("name".to_owned(), json!(format!("{}.{}", resource.name, method.name)));
    members.insert("summary".to_owned(), json!(summary));
    if !description.is_empty() {
        members.insert("description".to_owned(), json!(description));
    }
    members.insert("tags".to_owned(), json!([resource.tag()]));
    match ordered_fields(descriptor, method) {
        Some(fields) => {
            members.insert("paramStructure".to_owned(), json!("either"));
            let params = fields.iter().map(OrderedField::content_descriptor);
            members.insert("params".to_owned(), params.collect());
        }
        // The document has no place for the schema of all params together, so an extension holds it.
        None => {
            members.insert("paramStructure".to_owned(), json!("by-name"));
            members.insert("params".to_owned(), json!([]));
            members.insert("x-params".to_owned(), method.input.clone());
        }
    }
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

/// Returns the fields of an input in the order of positional params. Required fields come first, because OpenRPC
/// demands this. Returns `None` if the schema of the input does not list fields.
pub(super) fn ordered_fields<'a>(
    descriptor: &'a Descriptor,
    method: &'a MethodDescriptor,
) -> Option<Vec<OrderedField<'a>>> {
    let required = descriptor.resolve(&method.input)["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|other| other == name));
    let fields = descriptor.fields(method)?.iter();
    let mut fields: Vec<_> =
        fields.map(|(name, schema)| OrderedField { name, schema, is_required: is_required(name) }).collect();
    // The sort is stable, so required and optional fields each keep the order in which they were written.
    fields.sort_by_key(|field| !field.is_required);
    Some(fields)
}

pub(super) struct OrderedField<'a> {
    pub(super) name: &'a str,
    schema: &'a Value,
    is_required: bool,
}

impl OrderedField<'_> {
    fn content_descriptor(&self) -> Value {
        let mut param = json!({ "name": self.name, "required": self.is_required, "schema": self.schema });
        if let Some(description) = self.schema.get("description") {
            param["description"] = description.clone();
        }
        param
    }
}
