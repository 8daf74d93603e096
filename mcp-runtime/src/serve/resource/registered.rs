//! Registers, checks and reads the resources of a server.

use std::{any::Any, borrow::Cow, collections::HashMap, sync::Arc};

use super::{
    ListRequest, Listing, ReadRequest, Resource, ResourceList, ResourceNotFound,
    contents::ReadResource,
    definition::{CacheHints, ResourceDefinition},
    methods::Resources,
    template::UriTemplate,
    uri::invalid_uri,
};
use crate::{
    PromptList, Server, Service,
    base::error::ToolError,
    engine::{
        call::{Call, CallState, observer::Runtime, operation::Operation, running::Calling},
        tool::{
            Arguments, ArgumentsError, Tool, ToolDefinition,
            named_function::NamedFunction,
            registered::RegisteredTool,
            registry::Registry,
            state::{SettingsOfState, StateNeed, StateOfSetting},
        },
    },
    serve::{
        complete::{Completable, CompletionRef, Completions, TextArgument},
        server::{
            IntoItem, ListItem, ListKind, ToolList, extension::Changing, lists::change::ItemChecks,
            subscriptions::topic::Topic,
        },
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
        self.add_items(resources)
    }

    /// Adds a resource, or a template of resources.
    pub fn resource(self, resource: impl Resource) -> Self {
        self.add_items([Box::new(resource) as Box<dyn Resource>])
    }

    /// Lets the resources and their contents change while the server runs, even if it begins without resources. A tool
    /// gets the list by reference, as the parameter `resources: &ResourceList`. Other code gets the list with
    /// [`Service::resources`].
    ///
    /// This method also lets clients subscribe to resources. One client can subscribe to at most 1,000 resources, and
    /// their URIs can have at most 64 KiB together.
    ///
    /// ```
    /// use mcp_runtime::{Server, prelude::*};
    ///
    /// /// The latest news.
    /// #[mcp_resource("news://latest")]
    /// async fn news() -> &'static str {
    ///     "nothing new"
    /// }
    ///
    /// let service = Server::new("s", "1.0.0").dynamic_resources().build().unwrap();
    /// service.resources().add_all(resources![news]).unwrap();
    /// service.resources().updated("news://latest");
    /// assert!(service.resources().remove("news"));
    /// ```
    ///
    /// Without this setting, the first call of [`Service::resources`] has the same effect, but only for clients that
    /// connect after this call.
    pub fn dynamic_resources(self) -> Self {
        self.dynamic::<dyn Resource>()
    }
}

impl Service {
    /// Returns the list of the resources, to change it; see [`Server::dynamic_resources`].
    pub fn resources(&self) -> ResourceList {
        self.list()
    }
}

impl ResourceList {
    /// Notifies the clients that have subscribed to this URI that its content has changed. This includes clients that
    /// have subscribed to this URI with a query, such as `?page=2`.
    pub fn updated(&self, uri: &str) {
        self.tell(&Topic::Resource(uri.into()));
    }
}

impl ListItem for dyn Resource {
    const KIND: ListKind<Self> = ListKind {
        operation: Operation::ReadResource,
        changing: Changing::Resources,
        checks: ItemChecks { item: check, list: check_uris, fits: has_new_uris },
        begin: |extensions| {
            extensions.get_or_add(Resources::default);
            extensions.get_or_add(Completions::default).add(find_variables);
        },
        register: |resource, extensions, service| {
            let mut resource = ResourceTool::new(resource);
            extensions.get_or_add(Resources::default);
            if resource.variables.iter().any(TextArgument::can_complete) {
                extensions.get_or_add(Completions::default).add(find_variables);
            }
            resource.begin_watch(|| ResourceList::new(extensions, service));
            Box::new(resource)
        },
    };
}

#[diagnostic::do_not_recommend]
impl<T: Resource> IntoItem<dyn Resource, ()> for T {
    fn into_item(self) -> Box<dyn Resource> {
        Box::new(self)
    }
}

impl SettingsOfState for Runtime {
    fn setting(need: &StateNeed) -> Option<StateOfSetting> {
        let of = |type_name, setting| Some(StateOfSetting { type_name, setting });
        if need.is::<ToolList>() {
            of("ToolList", "dynamic_tools")
        } else if need.is::<PromptList>() {
            of("PromptList", "dynamic_prompts")
        } else if need.is::<ResourceList>() {
            of("ResourceList", "dynamic_resources")
        } else {
            None
        }
    }
}

/// Returns the variables of the template that a completion request names.
fn find_variables(registry: &Registry, call: &CallState, of: &CompletionRef) -> Option<Completable> {
    let CompletionRef::Resource { uri } = of else { return None };
    let mut items = registry.others(Operation::ReadResource).filter_map(|item| Some((item, ResourceTool::of(item)?)));
    let (item, template) = items.find(|(_, resource)| resource.uri == *uri)?;
    Some(item.check_granted_to(call).map(|()| template.variables.clone()))
}

/// Checks the parts of a resource that the registry does not check.
fn check(tool: &RegisteredTool, problems: &mut Vec<String>) {
    ResourceTool::of(tool).into_iter().for_each(|resource| resource.check(problems));
}

/// Adds a sentence to `problems` for each resource that has the same URIs as an earlier one.
fn check_uris(registry: &Registry, problems: &mut Vec<String>) {
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
fn has_new_uris(registry: &Registry, new: &RegisteredTool) -> bool {
    let Some(new) = ResourceTool::of(new) else { return true };
    let shape = new.shape();
    let mut resources = registry.others(Operation::ReadResource).filter_map(ResourceTool::of);
    !resources.any(|other| other.shape() == shape && other.definition.name != new.definition.name)
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
    fn new(resource: Box<dyn Resource>) -> Self {
        let ResourceDefinition { call, uri, mime_type, size, annotations, variables, lister, cache, problem } =
            resource.definition();
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

/// Returns whether the text is a type and a subtype, with or without parameters.
fn is_mime_type(text: &str) -> bool {
    let is_token = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    let essence = text.split(';').next().unwrap_or_default().trim_end();
    essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
        && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}
