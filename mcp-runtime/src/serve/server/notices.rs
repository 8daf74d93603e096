//! The extension point for notices about changes. Only a server whose lists or resources can change links the
//! implementation, [`Subscriptions`](super::subscriptions::Subscriptions).

use std::{any::Any, sync::Arc};

use serde_json::{Map, Value};
use tokio::runtime::Handle;

use super::{pending_call::RequestReply, request::RequestContext, subscriptions::Changing};
use crate::{
    engine::call::{
        Outlet,
        request::{Caller, Session},
    },
    wire::protocol::error::RpcError,
};

/// Follows the tasks that a subscription names. The module `tasks` implements it.
pub(crate) trait FollowTasks {
    /// Returns the tasks with these ids that belong to the caller.
    fn find_tasks(call: crate::engine::call::Call, ids: Vec<String>) -> FoundTasks;
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

/// Tells clients about changes.
pub(crate) trait Notices: Any + Send + Sync {
    /// Declares that `changing` can change.
    fn allow(&self, changing: Changing);

    /// Whether `changing` can change.
    fn can_change(&self, changing: Changing) -> bool;

    /// Declares in the server's capabilities what clients can subscribe to.
    fn declare(&self, capabilities: &mut Map<String, Value>);

    /// Answers a request if its method concerns subscriptions. Returns `None` for all other methods.
    fn answer<'a>(
        self: Arc<Self>,
        context: RequestContext<'a>,
        caller: &mut Option<Caller>,
    ) -> Option<Result<RequestReply<'a>, RpcError>>;

    /// Sends notices about the lists to the client of a session from now on, until the session is dropped.
    fn session_began(self: Arc<Self>, session: &Session, outlet: Arc<dyn Outlet>, runtime: &Handle);

    /// Sends the waiting notices of this session. Called when the session's client has opened its stream.
    fn stream_opened(self: Arc<Self>, session: &Session);

    /// Ends the subscriptions whose notices go to this outlet, and answers their requests.
    fn end(&self, outlet: &Arc<dyn Outlet>);

    /// Ends all subscriptions, and rejects new ones.
    fn end_all(&self);
}
