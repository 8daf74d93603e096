//! The [OpenRPC](https://spec.open-rpc.org) document of a contract.

use serde_json::{Value, json};

use crate::{
    apps::contract::{Descriptor, MethodDescriptor, ResourceDescriptor, describe::types::refer_to},
    wire::protocol::{error::METHOD_FAILED, json::object_of_some},
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
    let fields = ordered_fields(descriptor, method);
    let structure = if fields.is_some() { "either" } else { "by-name" };
    let params = fields.iter().flatten().map(OrderedField::content_descriptor);
    let errors = method.errors.iter().map(|error| {
        let data = Some(json!({ "statuses": error.statuses })).filter(|_| !error.statuses.is_empty());
        object_of_some([("code", Some(METHOD_FAILED.into())), ("message", Some((&*error.name).into())), ("data", data)])
    });
    object_of_some([
        ("name", Some(format!("{}.{}", resource.name, method.name).into())),
        ("summary", Some(summary.into())),
        ("description", Some(description.into()).filter(|_| !description.is_empty())),
        ("tags", Some(json!([resource.tag()]))),
        ("paramStructure", Some(structure.into())),
        ("params", Some(params.collect())),
        // The document has no place for the schema of all params together, so an extension holds it.
        ("x-params", Some(method.input.clone()).filter(|_| fields.is_none())),
        ("result", Some(json!({ "name": "result", "schema": method.output }))),
        ("errors", Some(errors.collect()).filter(|_| !method.errors.is_empty())),
    ])
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
