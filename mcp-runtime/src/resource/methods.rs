//! `resources/list`, `resources/templates/list` and `resources/read`.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{entry::ListedResource, lister, registered::ResourceTool};
#[cfg(feature = "http")]
use crate::protocol::headers;
use crate::{
    call::{
        observer::{Observer as _, observer},
        operation::Operation,
        request::Caller,
    },
    protocol::{error::RpcError, frame::Frame, revision::Revision, scan::read_string},
    server::{calling, listing::Pages, pending_call::RequestReply, request::RequestContext, surface::MethodSet},
    tool::registry::{RegisteredTool, Registry},
};

/// The methods of resources. All indices are indices of the registry.
pub(super) struct ResourceMethods {
    fixed: Vec<usize>,
    by_uri: HashMap<Box<str>, usize>,
    templates: Vec<usize>,
    /// The indices of the templates, in the order in which a URI is compared with them.
    by_rank: Vec<usize>,
    /// The tool that lists the resources of templates, if there are templates.
    lister: Option<usize>,
    pages: Pages,
    template_pages: Pages,
}

impl ResourceMethods {
    pub(super) fn new(registry: &Registry) -> Self {
        let (mut fixed, mut by_uri) = (Vec::new(), HashMap::new());
        let (mut templates, mut by_rank) = (Vec::new(), Vec::new());
        for index in registry.indices(Operation::ReadResource) {
            let Some(resource) = ResourceTool::of(registry.at(index)) else { continue };
            match &resource.template {
                Some(template) => {
                    templates.push(index);
                    by_rank.push((template.rank(), index));
                }
                None => {
                    fixed.push(index);
                    by_uri.insert((&*resource.uri).into(), index);
                }
            }
        }
        // The index decides between equal ranks: the first that was added wins.
        by_rank.sort();
        Self {
            fixed,
            by_uri,
            templates,
            by_rank: by_rank.into_iter().map(|(_, index)| index).collect(),
            lister: registry.find_other(Operation::ListResources, lister::NAME),
            pages: Pages::default(),
            template_pages: Pages::default(),
        }
    }

    /// Answers `resources/list`. Without templates, the list is the same for all callers.
    fn list<'a>(&self, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        if let Some(lister) = self.lister {
            context.params.cursor()?;
            return calling::call_other(context, caller, lister, context.params.cursor_text());
        }
        let RequestContext { server, id, params, .. } = context;
        let resources = self.fixed.iter().map(|index| server.registry.at(*index));
        let cursor = params.cursor()?;
        let page = self.pages.page(server, caller.client(), cursor.as_deref(), "resources", resources, listed)?;
        Ok(RequestReply::Ready(Frame::shared(id, page)))
    }

    /// Answers `resources/templates/list`.
    fn list_templates<'a>(&self, context: RequestContext<'a>, caller: &Caller) -> Result<RequestReply<'a>, RpcError> {
        let RequestContext { server, id, params, .. } = context;
        let templates = self.templates.iter().map(|index| server.registry.at(*index));
        let (cursor, member) = (params.cursor()?, "resourceTemplates");
        let page = self.template_pages.page(server, caller.client(), cursor.as_deref(), member, templates, listed)?;
        Ok(RequestReply::Ready(Frame::shared(id, page)))
    }

    /// Answers `resources/read`.
    fn read<'a>(&self, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let text = context.params.uri()?;
        let uri = read_string(text).ok_or_else(|| RpcError::invalid_params("`uri` must be a string"))?;
        #[cfg(feature = "http")]
        context.modern_headers().map_or(Ok(()), |headers| headers::check_name(headers, &uri))?;
        let registry = &context.server.registry;
        let index = self.find(registry, &uri).ok_or_else(|| RpcError::unknown_resource(&uri, caller.revision()))?;
        observer().tool(&registry.at(index).definition.name);
        calling::call_other(context, caller, index, text)
    }

    /// Returns the resource with this URI. See [`ResourceDefinition::new`](super::ResourceDefinition::new) for the order
    /// of templates.
    fn find(&self, registry: &Registry, uri: &str) -> Option<usize> {
        let matches = |index: &usize| {
            let template = ResourceTool::of(registry.at(*index)).and_then(|resource| resource.template.as_ref());
            template.is_some_and(|template| template.matched(uri).is_some())
        };
        self.by_uri.get(uri).copied().or_else(|| self.by_rank.iter().copied().find(matches))
    }
}

/// Returns the index of the resource or template that clients read with this URI.
#[cfg(any(feature = "cli", feature = "testing"))]
pub(crate) fn find_resource(registry: &Registry, uri: &str) -> Option<usize> {
    ResourceMethods::new(registry).find(registry, uri)
}

/// Returns the URI or the template of a registered resource.
#[cfg(feature = "cli")]
pub(crate) fn uri_of(tool: &RegisteredTool) -> Option<&str> {
    ResourceTool::of(tool).map(|resource| &*resource.uri)
}

/// Returns the object of a registered resource or template.
fn listed(tool: &RegisteredTool, revision: Revision) -> Option<ListedResource<'_>> {
    ResourceTool::of(tool).map(|resource| ListedResource::new(&tool.definition, resource, revision))
}

impl MethodSet for ResourceMethods {
    fn methods(&self) -> &'static [&'static str] {
        &["resources/list", "resources/templates/list", "resources/read"]
    }

    fn declare(&self, _: Revision, capabilities: &mut Map<String, Value>) {
        capabilities.insert("resources".into(), json!({}));
    }

    fn answer<'a>(&self, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        match context.method {
            "resources/list" => self.list(context, caller),
            "resources/templates/list" => self.list_templates(context, &caller),
            _ => self.read(context, caller),
        }
    }

    fn manifest(&self, registry: &Registry) -> Vec<(&'static str, Value)> {
        [("resources", &self.fixed), ("resourceTemplates", &self.templates)]
            .into_iter()
            .filter(|(_, indices)| !indices.is_empty())
            .map(|(name, indices)| {
                let objects = indices.iter().map(|index| {
                    let tool = registry.at(*index);
                    let mut object = json!(listed(tool, Revision::LATEST));
                    if !tool.requires.is_empty() {
                        object["requires"] = tool.requires.to_json();
                    }
                    object
                });
                (name, objects.collect())
            })
            .collect()
    }
}
