//! The description of a contract.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    resource::{Method, Resource},
    types::ContractTypes,
};

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
    /// The methods, in the order in which they were written.
    pub methods: Vec<MethodDescriptor>,
}

/// The description of a method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MethodDescriptor {
    /// The name of the method, without that of its resource.
    pub name: String,
    /// The name shown to users, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the method does.
    pub description: String,
    /// The schema of the input (JSON Schema 2020-12): an object.
    pub input: Value,
    /// The schema of the output (JSON Schema 2020-12).
    pub output: Value,
    /// Whether the method changes nothing, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// Whether the method can destroy something, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// Whether calling the method twice has the effect of calling it once, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
}

impl Descriptor {
    pub(super) fn of(name: String, version: String, description: Option<String>, resources: &[Resource]) -> Self {
        let mut types = ContractTypes::default();
        let resources = resources.iter().map(|resource| ResourceDescriptor::of(resource, &mut types)).collect();
        Self { name, version, description, resources, types: types.into_map() }
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
            methods: resource.methods.iter().map(|method| MethodDescriptor::of(method, types)).collect(),
        }
    }
}

impl MethodDescriptor {
    fn of(method: &Method, types: &mut ContractTypes) -> Self {
        let definition = &method.definition;
        Self {
            name: definition.name().to_owned(),
            title: definition.title.as_deref().map(str::to_owned),
            description: definition.description.as_ref().to_owned(),
            input: types.input(&method.takes),
            output: types.output(method.output),
            read_only: definition.annotations.read_only,
            destructive: definition.annotations.destructive,
            idempotent: definition.annotations.idempotent,
        }
    }
}
