//! The extension point of a server: what a program links only if its author uses it, such as prompts, notices about
//! changes, tasks, or HTTP.

use std::{
    any::Any,
    sync::{Arc, OnceLock},
};

use serde_json::{Map, Value};
use tokio::runtime::Handle;

use super::{limits::Limits, pending_call::RequestReply, request::RequestContext};
use crate::{
    engine::{
        call::{
            MessageSink,
            request::{Caller, Session},
        },
        tool::{registered::RegisteredTool, registry::Registry, state::States},
    },
    wire::protocol::{error::RpcError, revision::Revision},
};

/// A part of a server that can change while the server runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changing {
    Tools = 1,
    Prompts = 2,
    /// The list of resources, and their contents.
    Resources = 4,
}

/// Something that a server has in addition to its tools. The same value holds the author's settings before the server is
/// built, and answers requests afterwards. By default, an extension does nothing.
pub(crate) trait Extension: Any + Send + Sync {
    /// Checks the settings, when the server is built. Adds a sentence to `problems` for each problem. Returns the value
    /// that replaces this one in the service, or `None` if this one stays.
    fn complete(&mut self, _server: &BuiltParts<'_>, _problems: &mut Vec<String>) -> Option<Arc<dyn Extension>> {
        None
    }

    /// The names of its methods of the protocol.
    fn methods(&self) -> &'static [&'static str] {
        &[]
    }

    /// Adds what the client of this request can use to the server's capabilities.
    fn declare(&self, _context: RequestContext<'_>, _revision: Revision, _capabilities: &mut Map<String, Value>) {}

    /// Answers a request of one of the methods.
    fn answer<'a>(self: Arc<Self>, context: RequestContext<'a>, _: Caller) -> Result<RequestReply<'a>, RpcError> {
        Err(RpcError::method_not_found(context.method))
    }

    /// Returns the resource or template that clients read with this URI.
    fn resource(&self, _registry: &Registry, _uri: &str) -> Option<Arc<RegisteredTool>> {
        None
    }

    /// Returns the members that it adds to the manifest, each with its name and value.
    fn manifest(&self, _registry: &Registry) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Whether this part of the server can change.
    fn can_change(&self, _: Changing) -> bool {
        false
    }

    /// Sends notices about the lists to the client of a session from now on, until the session is dropped.
    fn session_began(self: Arc<Self>, _: &Session, _: &Arc<dyn MessageSink>, _: &Handle) {}

    /// Sends the waiting notices of this session. Called when the session's client has opened its stream.
    fn stream_opened(self: Arc<Self>, _: &Session) {}

    /// Ends the subscriptions whose notices go to this outlet, and answers their requests.
    fn end_notices(&self, _: &Arc<dyn MessageSink>) {}

    /// Ends all subscriptions, and rejects new ones.
    fn end_all_notices(&self) {}

    /// Returns the tasks with these ids that belong to the caller, for a subscription that follows them. Returns `None`
    /// if it has no tasks.
    fn find_tasks(&self, _: &crate::engine::call::Call, _ids: &[String]) -> Option<FoundTasks> {
        None
    }
}

/// The parts of a server that its extensions need to check their settings.
pub(crate) struct BuiltParts<'s> {
    pub(crate) registry: &'s Registry,
    pub(crate) states: &'s States,
    /// The name that users see.
    pub(crate) name: &'s str,
    pub(crate) limits: &'s Limits,
}

/// Adds tasks to a server with a tool that can have tasks.
pub(crate) trait AddTasks {
    fn add_tasks(extensions: &Extensions);
}

/// The future that returns the followed tasks.
pub(crate) type FoundTasks = std::pin::Pin<Box<dyn Future<Output = Box<dyn FollowedTasks>> + Send>>;

/// Tasks that a subscription follows.
pub(crate) trait FollowedTasks: Send {
    /// Returns the ids.
    fn ids(&self) -> Vec<String>;

    /// Returns the next task that has changed. Never returns if all have ended.
    fn changed(&mut self) -> std::pin::Pin<Box<dyn Future<Output = ChangedTask> + Send + '_>>;
}

/// A task that has changed.
pub(crate) struct ChangedTask {
    /// The object that clients get.
    pub(crate) task: Value,
    /// Counts the notice against the limits of unread notices. Drop it when the client has read the notice.
    pub(crate) room: Box<dyn Send>,
}

/// The extensions of a server, one of each type. Extensions can be added while the server runs, and reading them takes
/// no lock.
#[derive(Default)]
pub(crate) struct Extensions(OnceLock<Box<ExtensionNode>>);

struct ExtensionNode {
    extension: Arc<dyn Extension>,
    next: Extensions,
}

impl Extensions {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<dyn Extension>> {
        let nodes = std::iter::successors(self.0.get(), |node| node.next.0.get());
        nodes.map(|node| &node.extension)
    }

    /// Returns the extension of type `T`, if the server has it.
    pub(crate) fn get<T: Extension>(&self) -> Option<Arc<T>> {
        self.iter().find_map(|extension| (Arc::clone(extension) as Arc<dyn Any + Send + Sync>).downcast().ok())
    }

    /// Returns the extension of type `T`. If the server does not have it, adds the one that `new` creates.
    pub(crate) fn get_or_add<T: Extension>(&self, new: impl FnOnce() -> T) -> Arc<T> {
        let mut new = Some(new);
        let mut place = self;
        loop {
            let node = place.0.get_or_init(|| {
                let new = new.take().expect("the loop ends at the node that it adds");
                Box::new(ExtensionNode { extension: Arc::new(new()), next: Self::default() })
            });
            match (Arc::clone(&node.extension) as Arc<dyn Any + Send + Sync>).downcast() {
                Ok(extension) => return extension,
                Err(_) => place = &node.next,
            }
        }
    }

    /// Returns the extension of type `T` of a server that is not built yet, and adds it if necessary.
    pub(crate) fn settings<T: Extension + Default>(&mut self) -> &mut T {
        drop(self.get_or_add(T::default));
        let mut place = self;
        loop {
            let node = place.0.get_mut().expect("the extension is in the list");
            let is_wanted = (&*node.extension as &dyn Any).is::<T>();
            if is_wanted {
                let extension: &mut dyn Any = Arc::get_mut(&mut node.extension).expect("no service shares it yet");
                return extension.downcast_mut().expect("the type was checked");
            }
            place = &mut node.next;
        }
    }

    /// Completes every extension, when the server is built.
    pub(crate) fn complete(&mut self, server: &BuiltParts<'_>, problems: &mut Vec<String>) {
        let mut place = self;
        while let Some(node) = place.0.get_mut() {
            let extension = Arc::get_mut(&mut node.extension).expect("no service shares it yet");
            if let Some(completed) = extension.complete(server, problems) {
                node.extension = completed;
            }
            place = &mut node.next;
        }
    }
}
