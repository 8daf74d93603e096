//! Combines resources into a contract.

use std::{fmt, sync::Arc};

use super::{
    descriptor::Descriptor,
    resource::{Method, Resource},
    route,
    tool::{MethodTool, tool_name},
};
use crate::{
    engine::tool::{Tool, registered::RegisteredTool},
    serve::server::{BuildError, Server, Service},
};

/// Services that are published together, with their description. Cheap to clone.
///
/// A contract implements [`Invoker`](super::Invoker). It is serialized as its [`Descriptor`].
#[derive(Clone)]
pub struct Contract {
    pub(super) parts: Arc<ContractParts>,
    /// Runs the calls of all doors other than MCP, with its layers and limits.
    pub(super) service: Service,
    /// The tools of the methods, in the order of the methods.
    pub(super) tools: Arc<[Arc<RegisteredTool>]>,
}

pub(super) struct ContractParts {
    pub(super) descriptor: Descriptor,
    resources: Vec<Resource>,
    /// All methods, each with the name of its resource.
    pub(super) methods: Vec<(Arc<str>, Arc<Method>)>,
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
        tools(&self.parts.resources)
    }

    /// Returns the same contract, whose calls through JSON-RPC, REST and [`Invoker`](super::Invoker) run in `service`:
    /// with the layers, the limits and the error reports of its server. The endpoints of `contract::jsonrpc` and
    /// `contract::rest` also get its [`allowed_hosts`](Server::allowed_hosts), its
    /// [`authorization`](Server::authorization) and its [`http_limits`](Server::http_limits), and its
    /// [`shutdown`](Service::shutdown) ends them. Without this function, the calls run in a service of their own with
    /// the default settings, which only clients of the local machine reach.
    ///
    /// ```
    /// # use mcp_runtime::{BuildError, Server, contract::Contract};
    /// # fn service(contract: Contract) -> Result<(), BuildError> {
    /// let service = Server::new("team", "1.0.0").contract(&contract).max_concurrent_calls(100).build()?;
    /// let contract = contract.served_by(&service)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns an error that names the methods that `service` does not have, because its server was built without
    /// [`Server::contract`].
    pub fn served_by(&self, service: &Service) -> Result<Self, BuildError> {
        let tools = self.parts.tools_of(service).map_err(|missing| {
            let problem = format!(
                "the service has no tools {}; add `.contract(&contract)` to its `Server`",
                missing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            );
            BuildError::of("contract", vec![problem])
        })?;
        Ok(Self { service: service.clone(), tools, parts: Arc::clone(&self.parts) })
    }
}

impl ContractParts {
    /// Returns the tool of each method, or the names of the tools that the service does not have.
    fn tools_of(&self, service: &Service) -> Result<Arc<[Arc<RegisteredTool>]>, Vec<String>> {
        let registry = service.0.registry.read();
        let names = || self.methods.iter().map(|(resource, method)| tool_name(resource, method.name()));
        let tools: Arc<[_]> = names().filter_map(|name| registry.find(&name).cloned()).collect();
        if tools.len() == self.methods.len() {
            return Ok(tools);
        }
        Err(names().filter(|name| registry.find(name).is_none()).collect())
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
        let undefined = methods(&resources).filter_map(|(resource, method)| {
            let problem = method.definition.problem.as_ref()?;
            // Generated code describes a method as a tool with the method's name alone.
            let reason = problem.split_once("`: ").map_or(&**problem, |(_, reason)| reason);
            Some(format!("method `{resource}.{}`: {reason}", method.name()))
        });
        let undefined: Vec<_> = undefined.collect();
        if !undefined.is_empty() {
            // Without the definitions of all methods, there is no descriptor.
            problems.extend(undefined);
            return Err(BuildError::of("contract", problems));
        }
        let descriptor = Descriptor::of(name.clone(), version.clone(), description, &resources);
        // Two resources with the same name also have the same routes. This is one mistake, reported once.
        if problems.is_empty() {
            problems.extend(route::problems(&descriptor));
        }
        let engine = match Server::new(&*name, &*version).tools(tools(&resources)).without_warnings().build() {
            Ok(engine) if problems.is_empty() => engine,
            Ok(_) => return Err(BuildError::of("contract", problems)),
            // Two resources with the same name also have the same tool names. This is one mistake, reported once.
            Err(error) if problems.is_empty() => return Err(BuildError::of("contract", error.problems().to_vec())),
            Err(error) => {
                problems.extend(error.problems().iter().filter(|problem| !problem.contains("two tools")).cloned());
                return Err(BuildError::of("contract", problems));
            }
        };
        let parts = ContractParts { methods: methods(&resources).collect(), descriptor, resources };
        let tools = parts.tools_of(&engine).expect("the service was built with the tools of the contract");
        Ok(Contract { parts: Arc::new(parts), service: engine, tools })
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
        f.debug_struct("Contract").field("resources", &self.parts.resources).finish_non_exhaustive()
    }
}

impl serde::Serialize for Contract {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.parts.descriptor.serialize(serializer)
    }
}
