//! The list of a running service's resources, and changes of their contents.

use std::fmt;

use super::{
    Resource,
    registered::{self, ResourceTool},
};
use crate::{
    BuildError, Server, Service,
    call::operation::Operation,
    server::{
        list_change::{ItemChange, ServiceRef},
        subscriptions::{Changing, topic::Topic},
    },
};

/// The list of a service's resources, which can change while the service runs. Get it with [`Service::resources`]. It
/// works like a [`ToolList`](crate::ToolList). It also tells clients that the content of a resource has changed.
#[derive(Clone)]
pub struct ResourceList(ServiceRef);

impl Server {
    /// Lets the resources and their contents change while the server runs, even if it begins without resources. A tool
    /// then gets the list by reference, as `resources: &ResourceList`; other code gets it with [`Service::resources`].
    ///
    /// Clients can then subscribe to resources, one client to at most 1,000 whose URIs have at most 64 KiB together.
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
    /// Returns the list of a server before it is built, whose resources can then change.
    pub(super) fn of_server(server: &mut Server) -> Self {
        Self(server.allow_changes(Changing::Resources))
    }

    /// Adds a resource or a template at the end of the list.
    ///
    /// # Errors
    /// If another resource has the same name, or if [`Server::build`] would reject the resource. The error names the
    /// resource.
    pub fn add(&self, resource: impl Resource) -> Result<(), BuildError> {
        self.add_all([Box::new(resource) as Box<dyn Resource>])
    }

    /// Adds a list of resources, such as `resources![news]`, at once.
    ///
    /// # Errors
    /// Returns the problems of all resources; see [`add`](Self::add). Then the list does not change.
    pub fn add_all(&self, resources: impl IntoIterator<Item = Box<dyn Resource>>) -> Result<(), BuildError> {
        let tools = resources.into_iter().map(|resource| ResourceTool::of_list(resource, self));
        self.apply(tools.map(|tool| ItemChange::Add(Box::new(tool))).collect()).map(drop)
    }

    /// Puts a resource in the place of the one with the same name. If there is none, adds the resource at the end.
    /// Returns whether a resource was replaced.
    ///
    /// # Errors
    /// If [`Server::build`] would reject the resource. The error names the resource, and the list does not change.
    pub fn replace(&self, resource: impl Resource) -> Result<bool, BuildError> {
        self.apply(vec![ItemChange::Replace(Box::new(ResourceTool::of_list(Box::new(resource), self)))])
    }

    /// Removes the resource with this name. Returns whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        self.apply(vec![ItemChange::Remove(name.to_owned())]).unwrap_or(false)
    }

    /// Tells the clients that subscribed to this URI that its content has changed.
    pub fn updated(&self, uri: &str) {
        if let Some(service) = self.0.get() {
            service.subscriptions().change(&Topic::Resource(uri.into()));
        }
    }

    /// Tells the clients that the list has changed. [`add`](Self::add), [`replace`](Self::replace) and
    /// [`remove`](Self::remove) do so themselves.
    pub fn notify(&self) {
        if let Some(service) = self.0.get() {
            service.subscriptions().change(&Topic::Resources);
        }
    }

    fn apply(&self, changes: Vec<ItemChange>) -> Result<bool, BuildError> {
        self.0.require("resources/read", Operation::ReadResource, "Server::dynamic_resources")?;
        self.0.apply(Operation::ReadResource, changes, registered::check)
    }
}

impl fmt::Debug for ResourceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceList").finish_non_exhaustive()
    }
}
