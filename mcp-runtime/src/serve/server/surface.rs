//! The extension point for the methods of items other than tools, such as prompts.

use std::{any::Any, sync::Arc};

use serde_json::{Map, Value};

use super::{Server, pending_call::RequestReply, request::RequestContext};
use crate::{
    engine::{
        call::request::Caller,
        tool::{Tool, registered::RegisteredTool, registry::Registry},
    },
    wire::protocol::{error::RpcError, revision::Revision},
};

/// Something that the author added to a server in addition to tools, such as its prompts.
pub(crate) trait Surface: Any + Send + Sync {
    /// Removes and returns the items that clients call. The server registers them, so that they run like tools.
    fn take_items(&mut self) -> Vec<Box<dyn Tool>>;

    /// Checks the settings and returns the methods. Adds a sentence to `problems` for each problem.
    fn complete(self: Box<Self>, registry: &Registry, problems: &mut Vec<String>) -> Box<dyn MethodSet>;
}

/// Methods that a server has only if its author added items for them.
pub(crate) trait MethodSet: Send + Sync {
    /// The names of the methods.
    fn methods(&self) -> &'static [&'static str];

    /// Adds the server's capabilities for these methods.
    fn declare(&self, revision: Revision, capabilities: &mut Map<String, Value>);

    /// Answers a request of one of the methods.
    fn answer<'a>(&self, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError>;

    /// Returns the resource or template that clients read with this URI.
    fn resource(&self, _registry: &Registry, _uri: &str) -> Option<Arc<RegisteredTool>> {
        None
    }

    /// Returns the members that these methods add to the manifest, each with its name and value.
    fn manifest(&self, registry: &Registry) -> Vec<(&'static str, Value)>;
}

/// Adds the methods of the tasks extension, and the store for tasks, to a server.
pub(crate) trait AddTasks {
    fn add_tasks(server: &mut Server);
}

impl Server {
    /// Returns the surface of type `T`, and creates it if necessary.
    pub(crate) fn surface<T: Surface + Default>(&mut self) -> &mut T {
        let is_wanted = |surface: &dyn Surface| (surface as &dyn Any).is::<T>();
        let index = self.0.surfaces.iter().position(|surface| is_wanted(&**surface)).unwrap_or_else(|| {
            self.0.surfaces.push(Box::<T>::default());
            self.0.surfaces.len() - 1
        });
        let surface: &mut dyn Any = &mut *self.0.surfaces[index];
        surface.downcast_mut().expect("the surface at this index has the type `T`")
    }
}
