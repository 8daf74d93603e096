//! A client that is connected to a service.

use std::{
    borrow::Cow,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::runtime::Handle;

use super::profile::ClientProfile;
use crate::{
    engine::call::{MessageSink, Principal, message_sink::DropNotifications, request::Peer},
    serve::server::{
        Loading, Service,
        connection::Connection,
        reply_to::{ReplyTo, TakesReply},
    },
    wire::protocol::{
        id::Id,
        message::Message,
        params::{Meta, Params},
        text::json_string,
    },
};

/// A client of the newest revision that is connected to a service in the same process. A request is a value that the
/// server gets as if it had parsed it, and so is the reply.
pub(crate) struct ServiceClient {
    pub(super) runtime: Handle,
    connection: Connection,
    described: DescribedClient,
    last_id: AtomicU64,
    /// Whether the caller is on the network, so that it has no scopes without a principal.
    is_remote: bool,
}

/// What every request says about its client: members of `_meta`, each as JSON text.
struct DescribedClient {
    protocol_version: String,
    info: String,
    capabilities: String,
    log_level: Option<String>,
}

impl ServiceClient {
    /// Connects a client. The service runs its calls on the current runtime.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub(crate) fn connect(service: &Service, profile: &ClientProfile) -> Self {
        let runtime = Handle::current();
        Self {
            // Each request has a destination for messages of its own.
            connection: Connection::new(service, Peer::new(Arc::new(DropNotifications), None), runtime.clone()),
            runtime,
            described: DescribedClient {
                protocol_version: json_string(profile.revision.as_str()),
                info: profile.info.to_string(),
                capabilities: profile.capabilities.to_string(),
                log_level: profile.log_level.map(|level| json_string(level.as_str())),
            },
            last_id: AtomicU64::new(0),
            is_remote: false,
        }
    }

    /// Connects a client for another caller, which can be on the network.
    #[cfg(feature = "remote")]
    pub(crate) fn connect_for(service: &Service, profile: &ClientProfile, is_remote: bool) -> Self {
        Self { is_remote, ..Self::connect(service, profile) }
    }

    /// Returns what a request of this method waits for, if the server still loads its items.
    pub(super) fn loading(&self, method: &str) -> Option<Loading> {
        self.connection.loading(method)
    }

    /// Returns the id for a new request.
    pub(crate) fn next_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Sends a request. `params` are its members, and its idempotency key. `receiver` gets the notifications and the
    /// reply, which can come before this method returns.
    pub(crate) fn send<R: MessageSink + TakesReply + 'static>(
        &self,
        receiver: &Arc<R>,
        principal: Option<Principal>,
        id: u64,
        method: &str,
        params: &Params<'_>,
    ) {
        let id = id.to_string();
        let DescribedClient { protocol_version, info, capabilities, log_level } = &self.described;
        let meta = Meta {
            protocol_version: Some(protocol_version),
            client_info: Some(info),
            capabilities: Some(capabilities),
            log_level: log_level.as_deref(),
            progress_token: Some(&id),
            ..params.meta
        };
        let params = Params { meta, ..*params };
        let peer = Peer { remote: self.is_remote, ..Peer::new(Arc::clone(receiver) as _, principal) };
        let message = Message::Request { id: Id::client(&id), method: Cow::Borrowed(method), params };
        if let Some(frame) = self.connection.receive_local(&peer, message, &ReplyTo::Caller(Arc::clone(receiver) as _))
        {
            peer.sink.send(frame);
        }
    }

    /// Cancels the open request with this id. A call whose `after` has begun is not cancelled.
    pub(crate) fn cancel(&self, id: u64) {
        let id = id.to_string();
        let params = Params { request_id: Some(&id), ..Params::default() };
        let message = Message::Notification { method: Cow::Borrowed("notifications/cancelled"), params };
        self.connection.receive_local(&self.connection.peer, message, &ReplyTo::Alone);
    }

    /// Ends all open requests without an answer.
    pub(crate) fn abort(&self) {
        self.connection.abort();
    }
}
