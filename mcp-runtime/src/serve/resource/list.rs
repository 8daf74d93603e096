//! The list of a running service's resources, and changes of their contents.

use std::fmt;

use super::{
    Resource,
    registered::{self, ResourceTool},
};
use crate::{
    BuildError, Server, Service,
    engine::{call::operation::Operation, tool::Tool},
    serve::server::{
        list_change::{ItemChange, ItemChecks, ServiceRef},
        subscriptions::{Changing, topic::Topic},
    },
};

/// The list of a service's resources, which can change while the service runs. Get it with [`Service::resources`]. It
/// works like a [`ToolList`](crate::ToolList). It also tells clients that the content of a resource has changed.
#[derive(Clone)]
pub struct ResourceList(ServiceRef);

/// Several changes of a [`ResourceList`], which become visible at once.
pub struct ResourceChanges {
    list: ResourceList,
    made: Vec<ItemChange>,
}

const CHECKS: ItemChecks =
    ItemChecks { item: registered::check, list: registered::check_uris, fits: registered::has_new_uris };

impl Server {
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
    pub fn dynamic_resources(mut self) -> Self {
        registered::begin_without_resources(&mut self);
        let service = self.allow_changes(Changing::Resources);
        self.replace_state(ResourceList(service));
        self
    }
}

impl Service {
    /// Returns the list of the resources, to change it. A service without resources must be built with
    /// [`Server::dynamic_resources`].
    pub fn resources(&self) -> ResourceList {
        ResourceList(self.allow_changes(Changing::Resources))
    }
}

impl ResourceList {
    /// Returns the list of a server that is not built yet, and allows its resources to change.
    pub(super) fn of_server(server: &mut Server) -> Self {
        Self(server.allow_changes(Changing::Resources))
    }

    /// Adds a resource or a template at the end of the list.
    ///
    /// # Errors
    /// Fails if another resource has the same name or the same URI, or if [`Server::build`] would reject the resource.
    /// The error names the resource.
    pub fn add(&self, resource: impl Resource) -> Result<(), BuildError> {
        self.edit(|resources| resources.add(resource))
    }

    /// Adds several resources, such as `resources![news]`, at once.
    ///
    /// # Errors
    /// If any resource has a problem, returns the problems of all resources, and the list stays as it was; see
    /// [`add`](Self::add).
    pub fn add_all(&self, resources: impl IntoIterator<Item = Box<dyn Resource>>) -> Result<(), BuildError> {
        self.edit(|changes| changes.add_all(resources))
    }

    /// Replaces the resource that has the same name as `resource`. If there is none, adds `resource` at the end of the
    /// list. Returns whether a resource was replaced.
    ///
    /// # Errors
    /// Fails if a resource with another name has the same URI, or if [`Server::build`] would reject the resource. The
    /// error names the resource, and the list does not change.
    pub fn replace(&self, resource: impl Resource) -> Result<bool, BuildError> {
        self.apply(vec![ItemChange::Replace(self.item(Box::new(resource)))])
    }

    /// Replaces several resources at once. Each new resource, for example of `resources![news]`, replaces the resource
    /// with the same name.
    ///
    /// # Errors
    /// If any resource has a problem, returns the problems of all resources, and the list stays as it was; see
    /// [`replace`](Self::replace).
    pub fn replace_all(&self, resources: impl IntoIterator<Item = Box<dyn Resource>>) -> Result<(), BuildError> {
        self.edit(|changes| changes.replace_all(resources))
    }

    /// Removes the resource with this name. Returns whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        self.apply(vec![ItemChange::Remove(name.to_owned())]).unwrap_or(false)
    }

    /// Makes several changes at once: every client sees either none or all of them. The changes are made in order,
    /// after `changes` returns.
    ///
    /// # Errors
    /// If any change has a problem, returns the problems of all changes, and the list stays as it was.
    ///
    /// ```
    /// use mcp_runtime::{ResourceChanges, Server, prelude::*};
    ///
    /// /// The latest news.
    /// #[mcp_resource("news://latest")]
    /// async fn news() -> &'static str {
    ///     "nothing new"
    /// }
    ///
    /// let service = Server::new("s", "1.0.0").dynamic_resources().build().unwrap();
    /// let only_news = |resources: &mut ResourceChanges| {
    ///     resources.remove("weather");
    ///     resources.add_all(resources![news]);
    /// };
    /// service.resources().edit(only_news).unwrap();
    /// assert_eq!(service.resources().names(), ["news"]);
    /// ```
    pub fn edit(&self, changes: impl FnOnce(&mut ResourceChanges)) -> Result<(), BuildError> {
        let mut resources = ResourceChanges { list: self.clone(), made: Vec::new() };
        changes(&mut resources);
        self.apply(resources.made).map(drop)
    }

    /// Returns the names of the resources and templates, in the order of the list.
    pub fn names(&self) -> Vec<String> {
        self.0.names(Operation::ReadResource)
    }

    /// Notifies the clients that have subscribed to this URI that its content has changed. This includes clients that
    /// have subscribed to this URI with a query, such as `?page=2`.
    pub fn updated(&self, uri: &str) {
        if let Some(service) = self.0.get() {
            service.subscriptions().change(&Topic::Resource(uri.into()));
        }
    }

    /// Tells the clients that the list has changed. The methods that change the list already do this themselves.
    pub fn notify(&self) {
        if let Some(service) = self.0.get() {
            service.subscriptions().change(&Topic::Resources);
        }
    }

    fn item(&self, resource: Box<dyn Resource>) -> Box<dyn Tool> {
        Box::new(ResourceTool::of_list(resource, self))
    }

    fn apply(&self, changes: Vec<ItemChange>) -> Result<bool, BuildError> {
        self.0.require("resources/read", Operation::ReadResource, "Server::dynamic_resources")?;
        self.0.apply(Operation::ReadResource, changes, &CHECKS)
    }
}

impl ResourceChanges {
    /// See [`ResourceList::add`].
    pub fn add(&mut self, resource: impl Resource) {
        self.add_all([Box::new(resource) as Box<dyn Resource>]);
    }

    /// See [`ResourceList::add_all`].
    pub fn add_all(&mut self, resources: impl IntoIterator<Item = Box<dyn Resource>>) {
        self.made.extend(resources.into_iter().map(|resource| ItemChange::Add(self.list.item(resource))));
    }

    /// See [`ResourceList::replace`].
    pub fn replace(&mut self, resource: impl Resource) {
        self.replace_all([Box::new(resource) as Box<dyn Resource>]);
    }

    /// See [`ResourceList::replace_all`].
    pub fn replace_all(&mut self, resources: impl IntoIterator<Item = Box<dyn Resource>>) {
        self.made.extend(resources.into_iter().map(|resource| ItemChange::Replace(self.list.item(resource))));
    }

    /// See [`ResourceList::remove`].
    pub fn remove(&mut self, name: impl Into<String>) {
        self.made.push(ItemChange::Remove(name.into()));
    }
}

impl fmt::Debug for ResourceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ResourceList").field(&self.names()).finish()
    }
}

impl fmt::Debug for ResourceChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceChanges").field("count", &self.made.len()).finish()
    }
}
