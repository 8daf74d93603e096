//! The resources with the pages of views, and the capability that declares them.

use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::{Map, Value};

use super::{
    CacheScope, ReadRequest, ReadResourceFuture, ReadResourceResult, Resource, ResourceDefinition,
    methods::Resources,
    registered::{CHECKS, ResourceTool},
    view_client::{self, with_client},
    view_state::page,
};
use crate::{
    engine::{
        call::{Call, observer::Runtime, operation::Operation},
        tool::{
            ArgumentsError, ViewDefinition,
            registered::{ItemSettings, RegisteredTool},
            registry::Registry,
            view::{LinkViews, ViewSupport},
        },
    },
    serve::server::{DEFAULT_TTL, Extension, Extensions, RequestContext, declare_extension},
    wire::protocol::{
        json::object,
        revision::Revision,
        view::{ELICITATION, EXTENSION},
    },
};

/// The page of a view, as a resource.
struct ViewPage(&'static ViewDefinition);

impl Resource for ViewPage {
    fn definition(&self) -> ResourceDefinition {
        let view = self.0;
        // The page is a part of the program, so it is the same for all callers, and changes as seldom as the lists do.
        let mut definition = ResourceDefinition::new(view.uri, view.name, view.description)
            .size(with_client(view.html.into()).len() as u64)
            .ttl(DEFAULT_TTL)
            .cache_scope(CacheScope::Public)
            .page_of(view);
        definition.call.declared_at = view.declared_at;
        match view.title {
            Some(title) => definition.title(title),
            None => definition,
        }
    }

    fn read(&self, _: Call, _: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
        let contents = page(self.0, self.0.html);
        Ok(Box::pin(async { Ok(ReadResourceResult::new([contents])) }))
    }
}

/// Declares that the server has views. Never hidden from a client that does not declare the extension, because some hosts
/// show views without declaring it.
#[derive(Default)]
struct Views {
    /// Whether a form has a view.
    renders_forms: AtomicBool,
}

impl Extension for Views {
    fn declare(&self, _: RequestContext<'_>, revision: Revision, capabilities: &mut Map<String, Value>) {
        // Older tools have no `_meta`, which names the view.
        if revision.has_structured_content() {
            let renders_forms = cfg!(feature = "views-preview") && self.renders_forms.load(Ordering::Relaxed);
            let settings = if renders_forms { object([(ELICITATION, object([]))]) } else { object([]) };
            declare_extension(capabilities, EXTENSION, settings);
        }
    }
}

/// Serves views as resources.
#[derive(Debug)]
struct ViewResources;

impl LinkViews for Runtime {
    const VIEWS: &'static dyn ViewSupport = &ViewResources;
}

impl ViewSupport for ViewResources {
    fn resources(
        &self,
        items: &mut dyn Iterator<Item = &RegisteredTool>,
        registry: &Registry,
        extensions: &dyn Any,
        settings: ItemSettings<'_>,
        problems: &mut Vec<String>,
    ) -> Vec<Arc<RegisteredTool>> {
        let extensions: &Extensions = extensions.downcast_ref().expect("the extensions are those of a server");
        extensions.get_or_add(Resources::default);
        let views = extensions.get_or_add(Views::default);
        let mut new: Vec<Arc<RegisteredTool>> = Vec::new();
        for item in items {
            if item.definition.forms.iter().any(|form| form.view.is_some()) {
                views.renders_forms.store(true, Ordering::Relaxed);
            }
            for view in item.definition.views() {
                match resource(view, registry, &new, settings, problems) {
                    Ok(resource) => new.extend(resource),
                    Err(problem) if problems.contains(&problem) => {}
                    Err(problem) => problems.push(problem),
                }
            }
        }
        new
    }
}

/// Returns the resource of a view, or `None` if it is served already, or is one of the resources `new`.
///
/// # Errors
/// Returns the reason why the view cannot be served.
fn resource(
    view: &'static ViewDefinition,
    registry: &Registry,
    new: &[Arc<RegisteredTool>],
    settings: ItemSettings<'_>,
    problems: &mut Vec<String>,
) -> Result<Option<Arc<RegisteredTool>>, String> {
    let name = view.name;
    let resources = || registry.others(Operation::ReadResource).chain(new.iter().map(|resource| &**resource));
    if let Some(known) = resources().filter_map(|resource| resource.definition.view).find(|known| known.uri == view.uri)
    {
        return match known.is(view) {
            true => Ok(None),
            false => Err(format!(
                "two views have the URI `{}`: one is declared at {}, the other at {}; change one of the URIs",
                view.uri, known.declared_at, view.declared_at
            )),
        };
    }
    if let Some(problem) = view.problem().or_else(|| view_client::problem(view.html)) {
        return Err(format!("view `{name}`: {problem}"));
    }
    if resources().any(|resource| resource.definition.name == name) {
        return Err(format!(
            "view `{name}`: another resource has this name; write `name = \"…\"` in its `#[mcp_view(…)]`"
        ));
    }
    let resource: Box<dyn Resource> = match view.filled_by {
        Some(resource) => *resource().downcast().expect("the view creates a boxed resource"),
        None => Box::new(ViewPage(view)),
    };
    let resource = ResourceTool::new(resource, &|| unreachable!("the page of a view is not watched"));
    let Some(resource) = RegisteredTool::new(Box::new(resource), settings, problems) else { return Ok(None) };
    (CHECKS.item)(&resource, problems);
    match (CHECKS.fits)(registry, &resource) {
        true => Ok(Some(Arc::new(resource))),
        false => Err(format!("view `{name}`: another resource has the URI `{}`; change one of them", view.uri)),
    }
}
