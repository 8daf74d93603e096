//! The extension point for notices about changes. Only a server whose lists or resources can change links the
//! implementation, [`Subscriptions`](super::subscriptions::Subscriptions).

use std::{any::Any, sync::Arc};

use serde_json::{Map, Value};
use tokio::runtime::Handle;

use super::{pending_call::RequestReply, request::RequestContext, subscriptions::Changing};
use crate::{
    call::{
        Outlet,
        request::{Caller, Session},
    },
    protocol::error::RpcError,
};

/// Tells clients about changes.
pub(crate) trait Notices: Any + Send + Sync {
    /// Declares that this can change.
    fn allow(&self, changing: Changing);

    /// Adds what clients can subscribe to, to the capabilities of the server.
    fn declare(&self, capabilities: &mut Map<String, Value>);

    /// Answers a request of a method for subscriptions. Returns `None` if the method is another one.
    fn answer<'a>(
        self: Arc<Self>,
        context: RequestContext<'a>,
        caller: &mut Option<Caller>,
    ) -> Option<Result<RequestReply<'a>, RpcError>>;

    /// Sends notices about the lists to the client of a session from now on, until the session is dropped.
    fn session_began(self: Arc<Self>, session: &Session, outlet: Arc<dyn Outlet>, runtime: &Handle);

    /// Sends the notices that wait until the client of this session opens its stream.
    #[cfg(feature = "http")]
    fn stream_opened(self: Arc<Self>, session: &Session);

    /// Ends the subscriptions whose notices go to this outlet, and answers their requests.
    fn end(&self, outlet: &Arc<dyn Outlet>);

    /// Ends all subscriptions, and rejects new ones.
    #[cfg(feature = "http")]
    fn end_all(&self);
}
