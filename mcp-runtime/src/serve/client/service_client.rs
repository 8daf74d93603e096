//! A client that is connected to a service.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::runtime::Handle;

use super::{
    profile::ClientProfile,
    request::{ClientRequest, RoundInput},
};
use crate::{
    engine::call::{message_sink::DropNotifications, request::Peer},
    serve::server::{
        Service,
        connection::{Connection, Received},
    },
    wire::protocol::message::Message,
};

/// A client that is connected to a service.
pub(crate) struct ServiceClient {
    pub(super) profile: ClientProfile,
    pub(super) runtime: Handle,
    connection: Connection,
    last_id: AtomicU64,
    pub(super) handshake: tokio::sync::OnceCell<()>,
}

impl ServiceClient {
    /// Connects a client. The service runs its calls on the current runtime.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub(crate) fn connect(service: &Service, profile: ClientProfile) -> Self {
        let runtime = Handle::current();
        Self {
            profile,
            // Each request has a destination for messages of its own.
            connection: Connection::new(service, Peer::new(Arc::new(DropNotifications), None), runtime.clone()),
            runtime,
            last_id: AtomicU64::new(0),
            handshake: tokio::sync::OnceCell::new(),
        }
    }

    /// Returns the id for a new request.
    pub(crate) fn next_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Sends the request of a round. The notifications and the reply go to the sink of `peer`. They can come before
    /// this method returns.
    pub(crate) fn send_round(&self, peer: &Peer, id: u64, request: &ClientRequest, input: &RoundInput) {
        self.deliver(peer, &self.profile.round(id, request, input).to_json());
    }

    /// Cancels the open request with this id. A call whose `after` has begun is not cancelled.
    pub(crate) fn cancel(&self, id: u64, reason: &str) {
        self.deliver(&self.connection.peer, &self.profile.cancellation(id, reason).to_json());
    }

    /// Ends all open requests without an answer.
    pub(crate) fn abort(&self) {
        self.connection.abort();
    }

    /// Passes the JSON text of a message to the server.
    pub(super) fn deliver(&self, peer: &Peer, text: &str) {
        if let Received::Reply(frame) = self.connection.receive_from(peer, Message::read(text)) {
            peer.sink.send(frame);
        }
    }
}
