//! A request that is being answered.

use std::sync::Arc;

use crate::serve::{
    http::{
        session::{HttpSession, Listener},
        shared::lifecycle::Standalone,
    },
    server::connection::Connection,
};

/// A request in flight. If this value is dropped before the request is answered, the client has disconnected.
pub(super) enum Exchange {
    /// A request without session. The server cancels the request when its client disconnects.
    Alone(Option<Arc<Connection>>),
    /// A request in a session. The request continues when its client disconnects.
    InSession(Arc<HttpSession>),
    /// The stream of a `GET`, for messages that belong to no request.
    Listening(Listener),
}

impl Exchange {
    /// Creates the exchange of a request on a connection of its own.
    pub(super) fn alone(standalone: &Standalone, connection: Arc<Connection>) -> Self {
        standalone.add(&connection);
        Self::Alone(Some(connection))
    }

    /// Marks the request as answered.
    pub(super) fn done(&mut self) {
        if let Self::Alone(connection) = self {
            *connection = None;
        }
    }

    /// Whether the client reconnects after a disconnect.
    pub(super) fn polls(&self) -> bool {
        matches!(self, Self::InSession(session) if session.polls())
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        match self {
            Self::Alone(connection) => connection.iter().for_each(|connection| connection.abort()),
            Self::InSession(session) => session.touch(),
            Self::Listening(listener) => listener.session().touch(),
        }
    }
}
