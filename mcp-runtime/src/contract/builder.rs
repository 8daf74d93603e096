//! Combines resources into a contract.

use std::{fmt, sync::Arc};

use super::{
    descriptor::Descriptor,
    resource::{Method, Resource},
    route,
    tool::{MethodTool, tool_name},
};
use crate::{
    server::{BuildError, Server, Service},
    tool::Tool,
};

/// Services that are published together, with their description. Cheap to clone.
///
/// A contract implements [`Invoker`](super::Invoker). It is serialized as its [`Descriptor`].
#[derive(Clone)]
pub struct Contract(pub(super) Arc<ContractParts>);

pub(super) struct ContractParts {
    pub(super) descriptor: Descriptor,
    resources: Vec<Resource>,
    /// All methods, each with the name of its resource. They have the same order as the tools of `engine`.
    pub(super) methods: Vec<(Arc<str>, Arc<Method>)>,
    /// Runs the calls of doors other than MCP.
    pub(super) engine: Service,
}

/// Builds a [`Contract`].
#[derive(Debug)]
#[must_use]
pub struct ContractBuilder {
    name: String,
    version: String,
    description: Option<String>,
    resources: Vec<Resource>,
}

impl Contract {
    /// Creates a builder for a contract with this name. Documents, such as the OpenAPI document, show the name.
    pub fn builder(name: impl Into<String>) -> ContractBuilder {
        ContractBuilder { name: name.into(), version: "1.0.0".to_owned(), description: None, resources: Vec::new() }
    }

    /// Returns one tool for each method.
    pub(super) fn tools(&self) -> Vec<Box<dyn Tool>> {
        tools(&self.0.resources)
    }
}

impl ContractBuilder {
    /// Sets the version that documents show. Default: `1.0.0`.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// Sets the description that documents show. Default: none.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds a resource. The method `into_resource()` of a service creates it.
    pub fn resource(mut self, resource: Resource) -> Self {
        self.resources.push(resource);
        self
    }

    /// Checks the contract and creates it.
    ///
    /// # Errors
    /// Returns all problems at once: two resources or tools with the same name, a tool name that the protocol does not
    /// allow, schemas that hosts reject, two methods with the same HTTP route, or a path parameter that is not a field
    /// of the input.
    pub fn build(self) -> Result<Contract, BuildError> {
        let Self { name, version, description, resources } = self;
        let mut problems = Vec::new();
        for (index, resource) in resources.iter().enumerate() {
            if resources[..index].iter().any(|earlier| earlier.name == resource.name) {
                problems.push(format!(
                    "two resources are named `{}`; rename one: `.into_resource().with_name(\"…\")`",
                    resource.name
                ));
            }
        }
        if resources.iter().any(|resource| resource.name == "rpc") {
            problems
                .push("JSON-RPC reserves the names that begin with `rpc.`; choose another name for `rpc`".to_owned());
        }
        problems.extend(ambiguous(&resources));
        let descriptor = Descriptor::of(name.clone(), version.clone(), description, &resources);
        // Two resources with the same name also have the same routes. This is one mistake, reported once.
        if problems.is_empty() {
            problems.extend(route::problems(&descriptor));
        }
        let engine = match Server::new(&*name, &*version).tools(tools(&resources)).build() {
            Ok(engine) if problems.is_empty() => engine,
            Ok(_) => return Err(BuildError::of("contract", problems)),
            // Two resources with the same name also have the same tool names. This is one mistake, reported once.
            Err(error) if problems.is_empty() => return Err(BuildError::of("contract", error.problems().to_vec())),
            Err(error) => {
                problems.extend(error.problems().iter().filter(|problem| !problem.contains("two tools")).cloned());
                return Err(BuildError::of("contract", problems));
            }
        };
        let methods = methods(&resources).collect();
        Ok(Contract(Arc::new(ContractParts { descriptor, resources, methods, engine })))
    }
}

/// Returns a message for each tool name that two resources share. For example, the methods `todo_lists` of `a` and
/// `lists` of `a_todo` have the same tool name.
fn ambiguous(resources: &[Resource]) -> Vec<String> {
    let mut taken: Vec<(String, &str)> = Vec::new();
    let mut problems = Vec::new();
    for resource in resources {
        for method in &resource.methods {
            let name = tool_name(&resource.name, method.name());
            match taken.iter().find(|(other, of)| *other == name && *of != resource.name()) {
                Some((_, of)) => problems.push(format!(
                    "the resources `{of}` and `{}` both have a tool `{name}`; rename one method: \
                     `#[method(name = \"…\")]`",
                    resource.name
                )),
                None => taken.push((name, resource.name())),
            }
        }
    }
    problems
}

fn tools(resources: &[Resource]) -> Vec<Box<dyn Tool>> {
    methods(resources).map(|(resource, method)| Box::new(MethodTool { resource, method }) as Box<dyn Tool>).collect()
}

/// Returns each method with the name of its resource.
fn methods(resources: &[Resource]) -> impl Iterator<Item = (Arc<str>, Arc<Method>)> {
    resources.iter().flat_map(|resource| {
        let name: Arc<str> = (&*resource.name).into();
        resource.methods.iter().map(move |method| (Arc::clone(&name), Arc::clone(method)))
    })
}

impl fmt::Debug for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contract").field("resources", &self.0.resources).finish_non_exhaustive()
    }
}

impl serde::Serialize for Contract {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.descriptor.serialize(serializer)
    }
}
