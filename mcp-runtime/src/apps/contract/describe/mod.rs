//! The description of a contract.

pub(super) mod types;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::types::{ContractTypes, IN_CONTRACT};
use super::service::{ErrorFunctions, Method, Resource, Route};

/// The description of a contract: its resources, their methods, and the types of inputs and outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Descriptor {
    /// The name of the contract.
    pub name: String,
    /// The version of the contract.
    pub version: String,
    /// The description of the contract, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The resources, in the order in which they were added.
    pub resources: Vec<ResourceDescriptor>,
    /// The schemas of the named types. Other schemas refer to them: `{ "$ref": "#/types/Todo" }`.
    pub types: Map<String, Value>,
}

/// The description of a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceDescriptor {
    /// The name of the resource.
    pub name: String,
    /// The description of the resource, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The methods, in the order in which the author wrote them.
    pub methods: Vec<MethodDescriptor>,
}

/// The description of a method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MethodDescriptor {
    /// The name of the method, without the name of its resource.
    pub name: String,
    /// The name shown to users, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the method does.
    pub description: String,
    /// The schema of the input (JSON Schema 2020-12): an object.
    pub input: Value,
    /// The schema of the output (JSON Schema 2020-12), or `{ "type": "null" }` if the method has no output.
    pub output: Value,
    /// The types of the errors with which the method can fail: none or one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorDescriptor>,
    /// The route over HTTP.
    pub http: HttpRoute,
    /// Whether the method changes nothing, if this is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// Whether the method can destroy something, if this is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// Whether two calls with the same input have the same effect as one call, if this is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
}

/// The HTTP route of a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HttpRoute {
    /// The verb: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
    pub verb: String,
    /// The path, with the parameters in braces: `/todos/{id}`.
    pub path: String,
    /// The status of a response without an error.
    pub status: u16,
}

/// The description of a type of errors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ErrorDescriptor {
    /// The name of the type, without its path.
    pub name: String,
    /// The HTTP statuses that errors of this type can have; see [`ErrorStatus`](super::ErrorStatus). Empty if the type
    /// has no statuses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<u16>,
}

impl Descriptor {
    pub(crate) fn of(name: String, version: String, description: Option<String>, resources: &[Resource]) -> Self {
        let mut types = ContractTypes::default();
        let resources = resources.iter().map(|resource| ResourceDescriptor::of(resource, &mut types)).collect();
        Self { name, version, description, resources, types: types.0 }
    }

    /// Returns the fields of a method's input, with their schemas, in the order in which the author wrote the fields.
    /// Returns `None` if the schema of the input does not list fields.
    pub fn fields<'a>(&'a self, method: &'a MethodDescriptor) -> Option<&'a Map<String, Value>> {
        fields(self.resolve(&method.input), &self.types)
    }

    /// Follows a reference to a named type. Returns any other schema unchanged.
    pub fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        resolve(schema, &self.types)
    }

    /// Returns all methods, each with its resource.
    pub(crate) fn methods(&self) -> impl Iterator<Item = (&ResourceDescriptor, &MethodDescriptor)> {
        self.resources.iter().flat_map(|resource| resource.methods.iter().map(move |method| (resource, method)))
    }

    /// Returns the description of a method.
    pub fn method(&self, resource: &str, method: &str) -> Option<&MethodDescriptor> {
        let resource = self.resources.iter().find(|candidate| candidate.name == resource)?;
        resource.methods.iter().find(|candidate| candidate.name == method)
    }
}

impl ResourceDescriptor {
    fn of(resource: &Resource, types: &mut ContractTypes) -> Self {
        Self {
            name: resource.name().to_owned(),
            description: resource.description.map(str::to_owned),
            methods: resource
                .methods
                .iter()
                .map(|method| MethodDescriptor::of(resource.name(), method, types))
                .collect(),
        }
    }
}

impl MethodDescriptor {
    fn of(resource: &str, method: &Method, types: &mut ContractTypes) -> Self {
        let definition = &method.definition;
        let (input, output) = (types.input(&method.takes), types.output(method.output));
        let http =
            HttpRoute::of(resource, definition.name(), method.route, fields(&input, &types.0), has_output(&output));
        Self {
            name: definition.name().to_owned(),
            title: definition.title.as_deref().map(str::to_owned),
            description: definition.description.as_ref().to_owned(),
            input,
            output,
            errors: method.errors.iter().map(ErrorDescriptor::of).collect(),
            http,
            read_only: definition.annotations.read_only,
            destructive: definition.annotations.destructive,
            idempotent: definition.annotations.idempotent,
        }
    }

    /// Returns whether the method has an output.
    pub fn has_output(&self) -> bool {
        has_output(&self.output)
    }
}

impl HttpRoute {
    /// Returns the route of a method. The parts that the author has not set depend on the method's name. `fields` are the
    /// fields of the method's input.
    fn of(resource: &str, method: &str, route: Route, fields: Option<&Map<String, Value>>, has_output: bool) -> Self {
        let has_id = fields.is_some_and(|fields| fields.contains_key("id"));
        let (verb, is_item) = match method {
            "list" => ("GET", None),
            "create" => ("POST", None),
            "get" => ("GET", Some(has_id)),
            "update" => ("PUT", Some(has_id)),
            "patch" => ("PATCH", Some(has_id)),
            "delete" => ("DELETE", Some(has_id)),
            _ => ("POST", Some(false)),
        };
        let path = match (route.path, is_item) {
            (Some(path), _) => path.to_owned(),
            (None, None) => format!("/{resource}"),
            (None, Some(true)) => format!("/{resource}/{{id}}"),
            (None, Some(false)) => format!("/{resource}/{method}"),
        };
        let status = route.status.unwrap_or(match method {
            _ if !has_output => 204,
            "create" => 201,
            _ => 200,
        });
        Self { verb: route.verb.unwrap_or(verb).to_owned(), path, status }
    }

    /// Returns the names of the parameters in the path, from left to right. For `/todos/{id}`, returns `id`.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
    }

    /// Returns the path with `{}` in place of each parameter. Two paths with the same shape match the same requests.
    pub(crate) fn shape(&self) -> String {
        let segments = self.path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment });
        segments.collect::<Vec<_>>().join("/")
    }
}

impl ErrorDescriptor {
    fn of(functions: &ErrorFunctions) -> Self {
        let path = (functions.name)();
        // Generic types keep the paths of their arguments: a shortened text would not be the name of a type.
        let name = if path.contains('<') { path } else { path.rsplit("::").next().unwrap_or(path) };
        Self { name: name.to_owned(), statuses: functions.statuses.to_vec() }
    }
}

fn has_output(output: &Value) -> bool {
    output["type"] != "null"
}

fn fields<'a>(input: &'a Value, types: &'a Map<String, Value>) -> Option<&'a Map<String, Value>> {
    resolve(input, types)["properties"].as_object()
}

fn resolve<'a>(schema: &'a Value, types: &'a Map<String, Value>) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix(IN_CONTRACT));
    name.and_then(|name| types.get(name)).unwrap_or(schema)
}
