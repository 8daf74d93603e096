//! Registers, checks and reads the resources of a server.

use std::{any::Any, borrow::Cow, collections::HashMap, sync::Arc};

use super::{
    ListRequest, Listing, ReadRequest, Resource, ResourceList, ResourceNotFound,
    contents::ReadResource,
    definition::{CacheHints, ResourceDefinition},
    lister::ListTool,
    methods::ResourceMethods,
    template::UriTemplate,
    uri::invalid_uri,
};
use crate::{
    Server,
    base::error::ToolError,
    engine::{
        call::{Call, CallState, operation::Operation, running::Calling},
        tool::{
            Arguments, ArgumentsError, Tool, ToolDefinition, named_function::NamedFunction, registered::RegisteredTool,
            registry::Registry,
        },
    },
    serve::{
        complete::{Completable, CompletionRef, Completions, TextArgument},
        server::surface::{MethodSet, Surface},
    },
    wire::protocol::{
        content::Annotations,
        error::{CallRefusal, RpcError},
        result::CallToolResult,
        scan::read_string,
    },
};

impl Server {
    /// Adds a list of resources, such as `resources![logo, docs::page]`.
    pub fn resources(self, resources: impl IntoIterator<Item = Box<dyn Resource>>) -> Self {
        resources.into_iter().fold(self, Self::add_resource)
    }

    /// Adds a resource, or a template of resources.
    pub fn resource(self, resource: impl Resource) -> Self {
        self.add_resource(Box::new(resource))
    }

    fn add_resource(mut self, resource: Box<dyn Resource>) -> Self {
        let definition = resource.definition();
        if definition.variables.iter().any(TextArgument::can_complete) {
            self.surface::<Completions>().add(find_variables);
        }
        let mut resource = ResourceTool::new(resource, definition);
        resource.begin_watch(|| ResourceList::of_server(&mut self));
        self.surface::<Resources>().added.push(resource);
        self
    }
}

/// Adds the methods of resources and the methods of completions to the server, even if the server has no resources yet.
pub(super) fn begin_without_resources(server: &mut Server) {
    server.surface::<Resources>().can_change = true;
    server.surface::<Completions>().add(find_variables);
}

/// Returns the variables of the template that a completion request names.
fn find_variables(registry: &Registry, call: &CallState, of: &CompletionRef) -> Option<Completable> {
    let CompletionRef::Resource { uri } = of else { return None };
    let mut items = registry.others(Operation::ReadResource).filter_map(|item| Some((item, ResourceTool::of(item)?)));
    let (item, template) = items.find(|(_, resource)| resource.uri == *uri)?;
    Some(item.check_granted_to(call).map(|()| template.variables.clone()))
}

/// Checks the parts of a resource that the registry does not check.
pub(super) fn check(tool: &RegisteredTool, problems: &mut Vec<String>) {
    ResourceTool::of(tool).into_iter().for_each(|resource| resource.check(problems));
}

/// Adds a sentence to `problems` for each resource that has the same URIs as an earlier one.
pub(super) fn check_uris(registry: &Registry, problems: &mut Vec<String>) {
    let mut shapes = HashMap::new();
    for resource in registry.others(Operation::ReadResource).filter_map(ResourceTool::of) {
        if let Some(earlier) = shapes.insert(resource.shape(), resource) {
            let (name, uri) = (&resource.definition.name, &resource.uri);
            problems.push(format!(
                "resource `{name}`: `{uri}` matches the same URIs as the resource `{}`; change one of them",
                earlier.definition.name
            ));
        }
    }
}

/// Returns whether no resource with another name has the same URIs as this one.
pub(super) fn has_new_uris(registry: &Registry, new: &RegisteredTool) -> bool {
    let Some(new) = ResourceTool::of(new) else { return true };
    let shape = new.shape();
    let mut resources = registry.others(Operation::ReadResource).filter_map(ResourceTool::of);
    !resources.any(|other| other.shape() == shape && other.definition.name != new.definition.name)
}

/// The resources that the author added.
#[derive(Default)]
struct Resources {
    added: Vec<ResourceTool>,
    /// Whether templates can be added later.
    can_change: bool,
}

/// A resource or a template, which runs like a tool.
pub(super) struct ResourceTool {
    resource: Box<dyn Resource>,
    definition: ToolDefinition,
    pub(super) uri: Cow<'static, str>,
    /// The parsed template, if the resource is a template.
    pub(super) template: Option<Arc<UriTemplate>>,
    pub(super) size: Option<u64>,
    pub(super) annotations: Option<Annotations>,
    variables: Vec<TextArgument>,
    lister: Option<NamedFunction<ListRequest, Listing>>,
    pub(super) defaults: Defaults,
    /// The reason why the resource cannot be served, such as an invalid URI.
    problem: Option<String>,
    /// The watch, which tells the clients about changes of the content until the watch is dropped.
    watch: Option<Box<dyn Any + Send + Sync>>,
}

/// The values that all results of a resource have in common.
#[derive(Clone, Debug)]
pub(super) struct Defaults {
    pub(super) mime_type: Option<Cow<'static, str>>,
    pub(super) cache: CacheHints,
}

impl ResourceTool {
    fn new(resource: Box<dyn Resource>, definition: ResourceDefinition) -> Self {
        let ResourceDefinition { call, uri, mime_type, size, annotations, variables, lister, cache, problem } =
            definition;
        let (template, invalid) = if uri.contains(['{', '}']) {
            match UriTemplate::parse(&uri) {
                Ok(template) => (Some(Arc::new(template)), None),
                Err(problem) => (None, Some(problem)),
            }
        } else {
            (None, invalid_uri(&uri))
        };
        let invalid = invalid.map(|reason| format!("`{uri}` is not a URI or template: {reason}"));
        let problem = problem.or(invalid);
        let defaults = Defaults { mime_type, cache };
        let watch = None;
        Self {
            resource,
            definition: call,
            uri,
            template,
            size,
            annotations,
            variables,
            lister,
            defaults,
            problem,
            watch,
        }
    }

    /// Creates a resource for a list that can change.
    pub(super) fn of_list(resource: Box<dyn Resource>, list: &ResourceList) -> Self {
        let definition = resource.definition();
        let mut resource = Self::new(resource, definition);
        resource.begin_watch(|| list.clone());
        resource
    }

    /// Begins to watch the resource, if its content can change by itself.
    fn begin_watch(&mut self, list: impl FnOnce() -> ResourceList) {
        let Some(begin) = self.resource.begin_watch() else { return };
        match begin(list()) {
            Ok(watch) => self.watch = Some(watch),
            Err(problem) => self.problem = Some(problem),
        }
    }

    /// Returns the registered tool as a resource, or `None` if the tool is not a resource.
    pub(super) fn of(tool: &RegisteredTool) -> Option<&Self> {
        let tool: &dyn Any = tool.item();
        tool.downcast_ref()
    }

    /// Begins to list the resources of the template. Returns `None` if the template lists nothing.
    pub(super) fn list(&self, request: ListRequest) -> Option<Listing> {
        match &self.lister {
            Some(lister) => Some(lister.run(request)),
            None => self.resource.list(request),
        }
    }

    /// Returns the URI, or the template without the names of its variables. Two resources with equal shapes match the
    /// same URIs.
    fn shape(&self) -> Cow<'_, str> {
        match &self.template {
            Some(template) => template.shape().into(),
            None => Cow::Borrowed(&*self.uri),
        }
    }

    /// Adds a sentence to `problems` for each problem that the registry does not find.
    fn check(&self, problems: &mut Vec<String>) {
        let name = &self.definition.name;
        let mut reject = |problem: &str| problems.push(format!("resource `{name}`: {problem}"));
        if name.trim().is_empty() {
            reject("its name is empty");
        }
        if self.definition.description.trim().is_empty() {
            reject(
                "it has no description, and users choose resources by their descriptions; pass one to \
                 `ResourceDefinition::new`",
            );
        }
        if let Some(problem) = &self.problem {
            reject(problem);
        }
        if let Some(mime_type) = self.defaults.mime_type.as_deref().filter(|mime_type| !is_mime_type(mime_type)) {
            reject(&format!("`{mime_type}` is not a MIME type; write one such as `text/markdown`"));
        }
        if self.size.is_some() && self.template.is_some() {
            reject("a template cannot have a `size`; set the size in the entries that the template lists");
        }
        let known: Vec<_> = self.template.iter().flat_map(|template| template.variables()).collect();
        for (index, variable) in self.variables.iter().enumerate() {
            if !known.contains(&&*variable.name) {
                reject(&format!("`{}` has no variable `{}`", self.uri, variable.name));
            }
            if self.variables[..index].iter().any(|earlier| earlier.name == variable.name) {
                reject(&format!("the variable `{}` is described twice; keep one description", variable.name));
            }
        }
    }
}

impl Tool for ResourceTool {
    fn definition(&self) -> ToolDefinition {
        self.definition.clone()
    }

    fn call(&self, call: Call, uri: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        let uri = read_string(uri.as_str()).ok_or_else(|| ArgumentsError::new("`uri` must be a string"))?;
        let values = match &self.template {
            Some(template) => template.matched(&uri).unwrap_or_default(),
            None => Vec::new(),
        };
        let revision = call.0.revision;
        let request = ReadRequest { uri: &uri, variables: values.into_iter().collect() };
        let reading = self.resource.read(call, request).map_err(|reason| {
            ArgumentsError::new(format!("invalid URI for the resource `{}`:\n{reason}", self.definition.name))
        })?;
        let (uri, defaults) = (uri.into_owned(), self.defaults.clone());
        Ok(Box::pin(async move {
            match reading.await {
                Ok(result) => Ok(CallToolResult::other(ReadResource::new(uri, defaults, result))),
                Err(error) if error.downcast_ref::<ResourceNotFound>().is_some() => {
                    Err(ToolError::from(CallRefusal(RpcError::unknown_resource(&uri, revision))))
                }
                Err(error) => Err(error),
            }
        }))
    }
}

impl Surface for Resources {
    fn take_items(&mut self) -> Vec<Box<dyn Tool>> {
        let has_templates = self.can_change || self.added.iter().any(|resource| resource.template.is_some());
        let lister = has_templates.then(|| Box::new(ListTool) as Box<dyn Tool>);
        self.added.drain(..).map(|resource| Box::new(resource) as Box<dyn Tool>).chain(lister).collect()
    }

    fn complete(self: Box<Self>, registry: &Registry, problems: &mut Vec<String>) -> Box<dyn MethodSet> {
        registry.others(Operation::ReadResource).for_each(|resource| check(resource, problems));
        check_uris(registry, problems);
        Box::new(ResourceMethods::default())
    }
}

/// Returns whether the text is a type and a subtype, with or without parameters.
fn is_mime_type(text: &str) -> bool {
    let is_token = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    let essence = text.split(';').next().unwrap_or_default().trim_end();
    essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
        && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}
