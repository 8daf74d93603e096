//! Registers, checks and reads the resources of a server.

use std::{any::Any, borrow::Cow, collections::HashMap, sync::Arc};

use super::{
    ListRequest, ListResourcesFuture, ReadRequest, Resource, ResourceDefinition, ResourceEntry, ResourceList,
    ResourceNotFound, contents::ReadResource, template::UriTemplate, uri::invalid_uri,
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool, registry::Registry},
    },
    serve::server::{
        listed::{Listed, ListedAnnotations},
        lists::change::ItemChecks,
    },
    wire::protocol::{
        error::{CallRefusal, RpcError},
        result::CallToolResult,
        revision::Revision,
        scan::read_string,
    },
};

/// The checks of resources that the registry does not do.
pub(super) const CHECKS: ItemChecks = ItemChecks {
    item: |tool, problems| ResourceTool::of(tool).into_iter().for_each(|resource| resource.check(problems)),
    list: check_uris,
    fits: has_new_uris,
};

/// Adds a sentence to `problems` for each resource that has the same URIs as an earlier one.
fn check_uris(registry: &Registry, problems: &mut Vec<String>) {
    let mut shapes = HashMap::new();
    for resource in registry.others(Operation::ReadResource).filter_map(ResourceTool::of) {
        if let Some(earlier) = shapes.insert(resource.shape(), resource) {
            let (name, uri) = (resource.definition.name(), resource.definition.uri());
            problems.push(format!(
                "resource `{name}`: `{uri}` matches the same URIs as the resource `{}`; change one of them",
                earlier.definition.name()
            ));
        }
    }
}

/// Returns whether no resource with another name has the same URIs as this one.
fn has_new_uris(registry: &Registry, new: &RegisteredTool) -> bool {
    let Some(new) = ResourceTool::of(new) else { return true };
    let shape = new.shape();
    let mut resources = registry.others(Operation::ReadResource).filter_map(ResourceTool::of);
    !resources.any(|other| other.shape() == shape && other.definition.name() != new.definition.name())
}

/// A resource or a template, which runs like a tool.
pub(super) struct ResourceTool {
    resource: Box<dyn Resource>,
    pub(super) definition: ResourceDefinition,
    /// The parsed template, if the resource is a template.
    pub(super) template: Option<Arc<UriTemplate>>,
    /// The watch, which tells the clients about changes of the content until the watch is dropped.
    _watch: Option<Box<dyn Any + Send + Sync>>,
}

impl ResourceTool {
    /// Registers a resource, and begins to watch it if its content can change by itself. `list` returns the list of the
    /// service.
    pub(super) fn new(resource: Box<dyn Resource>, list: &dyn Fn() -> ResourceList) -> Self {
        let mut definition = resource.definition();
        let uri = &definition.uri;
        let parsed = match uri.contains(['{', '}']) {
            true => UriTemplate::parse(uri).map(|template| Some(Arc::new(template))),
            false => invalid_uri(uri).map_or(Ok(None), Err),
        };
        let template = parsed.unwrap_or_else(|reason| {
            let invalid = format!("`{uri}` is not a URI or template: {reason}");
            definition.problem.get_or_insert(invalid);
            None
        });
        let watch = resource
            .begin_watch(list)
            .and_then(|watch| watch.map_err(|problem| definition.problem = Some(problem)).ok());
        Self { resource, definition, template, _watch: watch }
    }

    /// Returns the registered tool as a resource, or `None` if the tool is not a resource.
    pub(super) fn of(tool: &RegisteredTool) -> Option<&Self> {
        let tool: &dyn Any = tool.item();
        tool.downcast_ref()
    }

    /// Returns the `Resource` or `ResourceTemplate` object for a list.
    pub(super) fn listed(&self, revision: Revision) -> Listed<'_> {
        let ResourceDefinition { call, uri, mime_type, size, annotations, .. } = &self.definition;
        let uri = Some(&**uri);
        let listed = Listed {
            uri: uri.filter(|_| self.template.is_none()),
            uri_template: uri.filter(|_| self.template.is_some()),
            mime_type: mime_type.as_deref(),
            size: *size,
            annotations: annotations.as_ref().map(|it| ListedAnnotations::Resource(Cow::Borrowed(it))),
            ..Listed::of(call)
        };
        listed.known_in(revision)
    }

    /// Returns the object of a resource that this template lists.
    pub(super) fn listed_entry<'a>(&'a self, entry: &'a ResourceEntry, revision: Revision) -> Listed<'a> {
        let listed = Listed {
            uri: Some(&entry.uri),
            name: &entry.name,
            title: entry.title.as_deref(),
            description: entry.description.as_deref(),
            mime_type: entry.mime_type.as_deref().or(self.definition.mime_type.as_deref()),
            size: entry.size,
            annotations: entry.annotations.as_ref().map(|it| ListedAnnotations::Resource(Cow::Borrowed(it))),
            icons: &entry.icons,
            meta: entry.meta.as_ref(),
            ..Listed::default()
        };
        listed.known_in(revision)
    }

    /// Returns whether this is a template that can list resources.
    pub(super) fn lists(&self) -> bool {
        self.template.is_some() && (self.definition.lister.is_some() || self.resource.lists())
    }

    /// Begins to list the resources of the template. Returns `None` if the template lists nothing.
    pub(super) fn list(&self, request: ListRequest) -> Option<ListResourcesFuture> {
        match &self.definition.lister {
            Some(lister) => Some((lister.run)(request)),
            None => self.resource.list(request),
        }
    }

    /// Returns the URI, or the template without the names of its variables. Two resources with equal shapes match the
    /// same URIs.
    fn shape(&self) -> Cow<'_, str> {
        match &self.template {
            Some(template) => template.shape().into(),
            None => Cow::Borrowed(self.definition.uri()),
        }
    }

    /// Adds a sentence to `problems` for each problem that the registry does not find.
    fn check(&self, problems: &mut Vec<String>) {
        let ResourceDefinition { call, uri, mime_type, size, variables, problem, .. } = &self.definition;
        let name = &call.name;
        let mut reject = |problem: &str| problems.push(format!("resource `{name}`: {problem}"));
        if name.trim().is_empty() {
            reject("its name is empty");
        }
        if call.description.trim().is_empty() {
            reject(
                "it has no description, and users choose resources by their descriptions; pass one to \
                 `ResourceDefinition::new`",
            );
        }
        if let Some(problem) = problem {
            reject(problem);
        }
        if let Some(mime_type) = mime_type.as_deref().filter(|mime_type| !is_mime_type(mime_type)) {
            reject(&format!("`{mime_type}` is not a MIME type; write one such as `text/markdown`"));
        }
        if size.is_some() && self.template.is_some() {
            reject("a template cannot have a `size`; set the size in the entries that the template lists");
        }
        let known: Vec<_> = self.template.iter().flat_map(|template| template.variables()).collect();
        for (index, variable) in variables.iter().enumerate() {
            if !known.contains(&&*variable.name) {
                reject(&format!("`{uri}` has no variable `{}`", variable.name));
            }
            if variables[..index].iter().any(|earlier| earlier.name == variable.name) {
                reject(&format!("the variable `{}` is described twice; keep one description", variable.name));
            }
        }
    }
}

impl Tool for ResourceTool {
    fn definition(&self) -> ToolDefinition {
        self.definition.call.clone()
    }

    fn call(&self, call: Call, uri: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let uri = read_string(uri.as_str()).ok_or_else(|| ArgumentsError::new("`uri` must be a string"))?;
        let values = match &self.template {
            Some(template) => template.matched(&uri).unwrap_or_default(),
            None => Vec::new(),
        };
        let revision = call.0.revision;
        let request = ReadRequest { uri: &uri, variables: values.into_iter().collect() };
        let reading = self.resource.read(call, request).map_err(|reason| {
            ArgumentsError::new(format!("invalid URI for the resource `{}`:\n{reason}", self.definition.name()))
        })?;
        let (uri, mime_type, cache) = (uri.into_owned(), self.definition.mime_type.clone(), self.definition.cache);
        Ok(Box::pin(async move {
            match reading.await {
                Ok(result) => Ok(CallToolResult::other(ReadResource { uri, mime_type, cache, result })),
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

/// Returns the registered item as the resource that the author or this crate added, if it has this type.
#[cfg(any(feature = "remote", feature = "skills"))]
pub(crate) fn resource_of<T: Resource>(tool: &RegisteredTool) -> Option<&T> {
    let resource: &dyn Any = &*ResourceTool::of(tool)?.resource;
    resource.downcast_ref()
}

/// Returns the URI or the template of a registered resource.
pub(crate) fn uri_of(tool: &RegisteredTool) -> Option<&str> {
    ResourceTool::of(tool).map(|resource| resource.definition.uri())
}
