//! `resources/list`, `resources/templates/list` and `resources/read`.

use std::{collections::HashMap, sync::Arc};

use serde_json::{Map, Value, json};

use super::{
    lister::{ListStart, ListTool},
    registered::{CHECKS, ResourceTool},
};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{
            observer::{Observer as _, observer},
            operation::Operation,
            request::Caller,
        },
        tool::{
            registered::RegisteredTool,
            registry::{ItemList, Registry},
        },
    },
    serve::server::{
        BuiltParts, Extension, PageCache, RequestContext, calling,
        listed::Listed,
        listing::{BAD_CURSOR, PagedList, Viewer},
        manifest,
        pending_call::RequestReply,
    },
    wire::protocol::{error::RpcError, frame::Frame, revision::Revision, scan::read_string},
};

/// The protocol methods of resources, such as `resources/read`.
pub(super) struct Resources {
    lister: Arc<RegisteredTool>,
    /// The index of the current version of the list.
    index: Mutex<Option<Arc<ResourceIndex>>>,
    pages: PageCache,
    template_pages: PageCache,
}

/// The resources of one version of the list.
pub(super) struct ResourceIndex {
    version: u64,
    fixed: ItemList,
    by_uri: HashMap<Box<str>, Arc<RegisteredTool>>,
    pub(super) templates: ItemList,
    /// The templates that can list resources.
    pub(super) listers: Vec<Arc<RegisteredTool>>,
    /// The templates in the order in which they are tried.
    by_rank: Vec<Arc<RegisteredTool>>,
}

impl Default for Resources {
    fn default() -> Self {
        let lister = RegisteredTool::of_method(ListTool);
        Self { lister, index: Mutex::default(), pages: PageCache::default(), template_pages: PageCache::default() }
    }
}

impl Resources {
    /// Returns the index of the resources that the registry has now.
    pub(super) fn index(&self, registry: &Registry) -> Arc<ResourceIndex> {
        let list = registry.list(Operation::ReadResource);
        let mut index = self.index.lock();
        match &*index {
            Some(index) if index.version == list.version => Arc::clone(index),
            _ => Arc::clone(index.insert(Arc::new(ResourceIndex::new(list)))),
        }
    }

    /// Answers `resources/list`. Only a page that can contain resources of a template runs as a call.
    fn list<'a>(&self, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let RequestContext { server, peer, id, params, .. } = context;
        let index = self.index(&server.registry.read());
        let fixed = self.fixed(&index);
        if index.listers.is_empty() {
            return fixed.answer(context, caller.client());
        }
        let start = ListStart::read(params.cursor()?.as_deref());
        let start = start.ok_or_else(|| RpcError::invalid_params(BAD_CURSOR))?;
        if let ListStart::Fixed(page) = start {
            let viewer = Viewer::new(server, caller.client(), peer.principal.as_ref(), peer.remote);
            let page = fixed.page(server, &viewer, page).ok_or_else(|| RpcError::invalid_params(BAD_CURSOR))?;
            if !page.is_last {
                return Ok(RequestReply::Ready(Frame::shared(id, page.text)));
            }
        }
        calling::call_item(context, caller, &self.lister, params.cursor_text())
    }

    /// Answers `resources/templates/list`.
    fn list_templates<'a>(&self, context: RequestContext<'a>, caller: &Caller) -> Result<RequestReply<'a>, RpcError> {
        let index = self.index(&context.server.registry.read());
        paged("resourceTemplates", &index.templates, &self.template_pages).answer(context, caller.client())
    }

    /// Returns the list of the resources with fixed URIs.
    pub(super) fn fixed<'l>(&'l self, index: &'l ResourceIndex) -> PagedList<'l> {
        paged("resources", &index.fixed, &self.pages)
    }

    /// Answers `resources/read`.
    fn read<'a>(&self, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let text = context.params.uri()?;
        let uri = read_string(text).ok_or_else(|| RpcError::invalid_params("`uri` must be a string"))?;
        context.check_name(&uri)?;
        let index = self.index(&context.server.registry.read());
        let unlisted = || context.server.extensions.iter().find_map(|extension| extension.unlisted_resource());
        let resource = index.find(&uri).or_else(unlisted);
        let resource = resource.ok_or_else(|| RpcError::unknown_resource(&uri, caller.revision()))?;
        observer().tool(&resource.definition.name);
        calling::call_item(context, caller, &resource, text)
    }
}

impl ResourceIndex {
    fn new(list: &ItemList) -> Self {
        let (mut fixed, mut by_uri) = (Vec::new(), HashMap::new());
        let (mut templates, mut listers, mut by_rank) = (Vec::new(), Vec::new(), Vec::new());
        for item in &list.items {
            let Some(resource) = ResourceTool::of(item) else { continue };
            match &resource.template {
                Some(template) => {
                    templates.extend((!resource.definition.hides_template).then(|| Arc::clone(item)));
                    listers.extend(resource.lists().then(|| Arc::clone(item)));
                    by_rank.push((template.rank(), Arc::clone(item)));
                }
                None => {
                    fixed.push(Arc::clone(item));
                    by_uri.insert(resource.definition.uri().into(), Arc::clone(item));
                }
            }
        }
        // The sort is stable: of two templates with equal ranks, the one that was added first stays first.
        by_rank.sort_by(|(rank, _), (other, _)| rank.cmp(other));
        Self {
            version: list.version,
            fixed: ItemList::part(fixed, list.version),
            by_uri,
            templates: ItemList::part(templates, list.version),
            listers,
            by_rank: by_rank.into_iter().map(|(_, item)| item).collect(),
        }
    }

    /// Returns the resource with this URI. See [`ResourceDefinition::new`](super::ResourceDefinition::new) for the order
    /// of templates.
    fn find(&self, uri: &str) -> Option<Arc<RegisteredTool>> {
        let matches = |item: &&Arc<RegisteredTool>| {
            let template = ResourceTool::of(item).and_then(|resource| resource.template.as_ref());
            template.is_some_and(|template| template.matched(uri).is_some())
        };
        self.by_uri.get(uri).or_else(|| self.by_rank.iter().find(matches)).cloned()
    }
}

/// Returns a list of resources or templates, with its name in the result.
fn paged<'l>(member: &'static str, items: &'l ItemList, cache: &'l PageCache) -> PagedList<'l> {
    PagedList { member, items, kind: Operation::ReadResource, listed, cache }
}

/// Returns the object of a registered resource or template.
fn listed(tool: &RegisteredTool, revision: Revision) -> Listed<'_> {
    ResourceTool::of(tool).map(|resource| resource.listed(revision)).unwrap_or_default()
}

impl Extension for Resources {
    fn complete(&mut self, server: &BuiltParts<'_>, problems: &mut Vec<String>) -> Option<Arc<dyn Extension>> {
        CHECKS.run(server.registry, Operation::ReadResource, problems);
        None
    }

    fn methods(&self) -> &'static [&'static str] {
        &["resources/list", "resources/templates/list", "resources/read"]
    }

    fn declare(&self, _: RequestContext<'_>, _: Revision, capabilities: &mut Map<String, Value>) {
        capabilities.entry("resources").or_insert_with(|| json!({}));
    }

    fn answer<'a>(self: Arc<Self>, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        match context.method {
            "resources/list" => self.list(context, caller),
            "resources/templates/list" => self.list_templates(context, &caller),
            _ => self.read(context, caller),
        }
    }

    fn resource(&self, registry: &Registry, uri: &str) -> Option<Arc<RegisteredTool>> {
        self.index(registry).find(uri)
    }

    fn manifest(&self, registry: &Registry) -> Vec<(&'static str, Value)> {
        let index = self.index(registry);
        [("resources", &index.fixed), ("resourceTemplates", &index.templates)]
            .into_iter()
            .filter(|(_, list)| !list.items.is_empty())
            .map(|(name, list)| (name, manifest(list, listed)))
            .collect()
    }
}
