//! Adds resources to a server, before and after it is built.

use std::sync::Arc;

use super::{
    Resource, ResourceList,
    methods::Resources,
    registered::{CHECKS, ResourceTool, uri_of},
};
use crate::{
    Server, Service,
    engine::{
        call::{observer::Runtime, operation::Operation},
        tool::{
            registered::RegisteredTool,
            state::{SettingsOfState, StateNeed, StateOfSetting},
        },
    },
    serve::{
        complete::{Completable, CompletionRef, Completions, TextArgument},
        prompt::PromptList,
        server::{Inner, IntoItem, ListKind, ServiceItem, ToolList, subscriptions::topic::Topic},
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

impl ServiceItem for dyn Resource {
    const KIND: ListKind<Self> = ListKind {
        operation: Operation::ReadResource,
        checks: CHECKS,
        begin: |extensions| {
            extensions.get_or_add(Resources::default);
            extensions.get_or_add(Completions::default).add(find_template);
        },
        register: |resource, extensions, service| {
            let resource = ResourceTool::new(resource, &|| ResourceList::new(extensions, service));
            extensions.get_or_add(Resources::default);
            if resource.definition.variables.iter().any(TextArgument::can_complete) {
                extensions.get_or_add(Completions::default).add(find_template);
            }
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
        let lists = [
            (need.is::<ToolList>(), "ToolList", "dynamic_tools"),
            (need.is::<PromptList>(), "PromptList", "dynamic_prompts"),
            (need.is::<ResourceList>(), "ResourceList", "dynamic_resources"),
        ];
        let (_, type_name, setting) = lists.into_iter().find(|(is_needed, ..)| *is_needed)?;
        Some(StateOfSetting { type_name, setting })
    }
}

/// Finds the template that a completion request names.
fn find_template(server: &Inner, of: &CompletionRef) -> Option<Completable> {
    let CompletionRef::Resource { uri } = of else { return None };
    let resources = server.extensions.get::<Resources>()?;
    let index = resources.index(&server.registry.read());
    let item = index.templates.items.iter().find(|item| uri_of(item) == Some(uri))?;
    Some(Completable { item: Arc::clone(item), arguments: variables })
}

/// Returns the described variables of a registered template.
fn variables(template: &RegisteredTool) -> &[TextArgument] {
    ResourceTool::of(template).map_or(&[], |resource| &resource.definition.variables)
}
