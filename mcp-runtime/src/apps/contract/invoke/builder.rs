//! Combines resources into a contract.

use std::{collections::HashSet, fmt, sync::Arc};

use crate::{
    apps::contract::{Descriptor, Resource, service::Method},
    engine::{
        call::{Call, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool},
    },
    serve::server::{BuildError, Server, Service},
};

/// Services that are published together, with their description. Cheap to clone.
///
/// A contract implements [`Invoker`](super::Invoker). It is serialized as its [`Descriptor`].
#[derive(Clone)]
pub struct Contract(pub(super) Arc<ServedContract>);

/// A contract, and the service that runs its calls.
pub(super) struct ServedContract {
    pub(super) parts: Arc<ContractParts>,
    /// Runs the calls of all endpoints other than MCP, with its layers and limits.
    pub(super) service: Service,
    /// The tools of the methods, in the order of the methods.
    pub(super) tools: Vec<Arc<RegisteredTool>>,
}

pub(super) struct ContractParts {
    pub(super) descriptor: Descriptor,
    pub(super) methods: Vec<ContractMethod>,
}

/// A method of a contract, which is also a tool.
#[derive(Clone)]
pub(super) struct ContractMethod {
    pub(super) resource: Arc<str>,
    pub(super) method: Arc<Method>,
    /// What errors call the method in calls that do not come from an MCP client: ``method `todos.create` ``.
    pub(super) described: Arc<str>,
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

impl Server {
    /// Adds a tool for each method of the contract. The tool `todos_create` calls the method `create` of the resource
    /// `todos`.
    ///
    /// See the module [`contract`](mod@crate::contract).
    pub fn contract(self, contract: &Contract) -> Self {
        self.tools(tools(contract.0.parts.methods.iter()))
    }
}

impl Contract {
    /// Creates a builder for a contract with this name. Documents, such as the OpenAPI document, show the name.
    pub fn builder(name: impl Into<String>) -> ContractBuilder {
        ContractBuilder { name: name.into(), version: "1.0.0".to_owned(), description: None, resources: Vec::new() }
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
        let parts = Arc::clone(&self.0.parts);
        let tools = parts.tools_of(service).map_err(|missing| {
            let missing: Vec<_> = missing.iter().map(|name| format!("`{name}`")).collect();
            let problem =
                format!("the service has no tools {}; add `.contract(&contract)` to its `Server`", missing.join(", "));
            BuildError::of("contract", vec![problem])
        })?;
        Ok(Self(Arc::new(ServedContract { service: service.clone(), tools, parts })))
    }
}

impl ContractParts {
    /// Returns the tool of each method, or the names of the tools that the service does not have.
    fn tools_of(&self, service: &Service) -> Result<Vec<Arc<RegisteredTool>>, Vec<String>> {
        let registry = service.0.registry.read();
        let mut missing = Vec::new();
        let tools = self.methods.iter().filter_map(|method| {
            let name = method.tool_name();
            let found = registry.find(&name).cloned();
            missing.extend(found.is_none().then_some(name));
            found
        });
        let tools = tools.collect();
        if missing.is_empty() { Ok(tools) } else { Err(missing) }
    }
}

/// Returns the name of the tool that calls a method: `todos_create` for the method `create` of the resource `todos`.
pub(crate) fn tool_name(resource: &str, method: &str) -> String {
    format!("{resource}_{method}")
}

impl ContractMethod {
    pub(super) fn new(resource: &Arc<str>, method: &Arc<Method>) -> Self {
        let described = format!("method `{resource}.{}`", method.name()).into();
        Self { resource: Arc::clone(resource), method: Arc::clone(method), described }
    }

    pub(super) fn tool_name(&self) -> String {
        tool_name(&self.resource, self.method.name())
    }
}

#[diagnostic::do_not_recommend]
impl Tool for ContractMethod {
    fn definition(&self) -> ToolDefinition {
        let mut definition = self.method.definition.clone();
        definition.name = self.tool_name().into();
        definition
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        self.method.run.run(call, arguments)
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
        let methods: Vec<_> = resources.iter().flat_map(methods_of).collect();
        let mut problems = shared_names(&resources);
        problems.extend(shared_tool_names(&methods));
        let undefined = methods.iter().flat_map(|ContractMethod { method, described, .. }| {
            method.definition.problems.iter().map(move |problem| format!("{described}: {problem}"))
        });
        let undefined: Vec<_> = undefined.collect();
        if !undefined.is_empty() {
            // Without the definitions of all methods, there is no descriptor.
            problems.extend(undefined);
            return Err(BuildError::of("contract", problems));
        }
        let descriptor = Descriptor::of(name, version, description, &resources);
        // Two resources with the same name also have the same routes. This is one mistake, reported once.
        if problems.is_empty() {
            problems.extend(route_problems(&descriptor));
        }
        // Tools that share a name are reported once.
        let mut names = HashSet::new();
        let tools = tools(methods.iter().filter(|method| problems.is_empty() || names.insert(method.tool_name())));
        let server = Server::new(&*descriptor.name, &*descriptor.version).tools(tools).without_warnings();
        match server.build() {
            Ok(service) if problems.is_empty() => {
                let parts = ContractParts { methods, descriptor };
                let tools = parts.tools_of(&service).expect("the service was built with the tools of the contract");
                Ok(Contract(Arc::new(ServedContract { parts: Arc::new(parts), service, tools })))
            }
            Ok(_) => Err(BuildError::of("contract", problems)),
            Err(error) => {
                problems.extend_from_slice(error.problems());
                Err(BuildError::of("contract", problems))
            }
        }
    }
}

fn tools<'m>(methods: impl Iterator<Item = &'m ContractMethod>) -> Vec<Box<dyn Tool>> {
    methods.map(|method| Box::new(method.clone()) as Box<dyn Tool>).collect()
}

fn methods_of(resource: &Resource) -> impl Iterator<Item = ContractMethod> {
    let name: Arc<str> = resource.name().into();
    resource.methods.iter().map(move |method| ContractMethod::new(&name, method))
}

/// Returns an error message for each name that a resource may not have.
fn shared_names(resources: &[Resource]) -> Vec<String> {
    let mut names = HashSet::new();
    let shared = resources.iter().map(Resource::name).filter(|name| !names.insert(*name));
    let mut problems: Vec<_> = shared
        .map(|name| format!("two resources are named `{name}`; rename one: `.into_resource().with_name(\"…\")`"))
        .collect();
    if names.contains("rpc") {
        problems.push("JSON-RPC reserves the names that begin with `rpc.`; choose another name for `rpc`".to_owned());
    }
    problems
}

/// Returns an error message for each tool name that two resources share. For example, the methods `todo_lists` of `a` and
/// `lists` of `a_todo` have the same tool name.
fn shared_tool_names(methods: &[ContractMethod]) -> Vec<String> {
    let mut taken: Vec<(String, &str)> = Vec::new();
    let mut problems = Vec::new();
    for method in methods {
        let name = method.tool_name();
        match taken.iter().find(|(other, of)| *other == name && **of != *method.resource) {
            Some((_, of)) => problems.push(format!(
                "the resources `{of}` and `{}` both have a tool `{name}`; rename one method: \
                 `#[method(name = \"…\")]`",
                method.resource
            )),
            None => taken.push((name, &method.resource)),
        }
    }
    problems
}

/// Returns an error message for each route that two methods share, and for each path parameter that is not a field of
/// the method's input.
fn route_problems(descriptor: &Descriptor) -> Vec<String> {
    let mut taken: Vec<(&str, String, String)> = Vec::new();
    let mut problems = Vec::new();
    for (resource, method) in descriptor.methods() {
        let (name, route) = (format!("{}.{}", resource.name, method.name), &method.http);
        let fields = descriptor.fields(method);
        for parameter in route.parameters().filter(|name| !fields.is_some_and(|fields| fields.contains_key(*name))) {
            problems.push(format!(
                "method `{name}`: the path `{}` has `{{{parameter}}}`, but the input has no field `{parameter}`; add \
                 it, or change the path: `#[method(path = \"…\")]`",
                route.path
            ));
        }
        let shape = route.shape();
        match taken.iter().find(|(verb, other, _)| *verb == route.verb && *other == shape) {
            Some((.., other)) => problems.push(format!(
                "the methods `{other}` and `{name}` both have the route `{} {}`; change one: `#[method(path = \"…\")]`",
                route.verb, route.path
            )),
            None => taken.push((&route.verb, shape, name)),
        }
    }
    problems
}

impl fmt::Debug for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.parts.descriptor.resources.iter().map(|resource| &resource.name).collect();
        f.debug_struct("Contract").field("resources", &names).finish_non_exhaustive()
    }
}

impl serde::Serialize for Contract {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.parts.descriptor.serialize(serializer)
    }
}
