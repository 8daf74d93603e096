//! Items that a server loads after it has begun to serve, such as those of other servers. Requests wait for them.

use std::{pin::Pin, sync::Arc};

use super::service::Inner;
use crate::wire::protocol::{error::RpcError, message::Message};

/// A wait for the items of a server, which ends in any case.
pub(crate) type Loading = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Inner {
    /// Begins to load the items of the server, if it has such. Returns what a request of this method waits for, or `None`
    /// if it need not wait.
    pub(crate) fn loading(self: &Arc<Self>, method: &str) -> Option<Loading> {
        let loading = self.loads.as_ref()?.load(self)?;
        self.needs_items(method).then_some(loading)
    }

    /// Begins to load the items of the server, if it has such, before its first request.
    pub(crate) fn begin_loading(self: &Arc<Self>) {
        self.loads.iter().for_each(|loads| drop(loads.load(self)));
    }

    /// Does the same as [`loading`](Self::loading) for a message as a client has sent it.
    pub(crate) fn loading_for(self: &Arc<Self>, message: &[u8]) -> Option<Loading> {
        let loading = self.loads.as_ref()?.load(self)?;
        let needs_items = match str::from_utf8(message).map(Message::read) {
            Ok(Ok(Message::Request { method, .. })) => self.needs_items(&method),
            Ok(Ok(Message::Notification { .. } | Message::Response { .. })) => false,
            // A batch, for example.
            _ => true,
        };
        needs_items.then_some(loading)
    }

    /// Returns the error for a tool or a prompt that the server does not have, or does not have yet.
    pub(crate) fn unknown(&self, kind: &str, name: &str) -> RpcError {
        match self.loads.as_ref().and_then(|loads| loads.not_loaded(name)) {
            Some(server) => RpcError::not_loaded(kind, name, &server),
            None => RpcError::unknown(kind, name),
        }
    }

    /// Whether the reply to a request of this method depends on the items of the server.
    fn needs_items(&self, method: &str) -> bool {
        match method {
            "ping" => false,
            "initialize" | "server/discover" => self.loads.iter().any(|loads| loads.loads_handshake()),
            _ => true,
        }
    }
}
