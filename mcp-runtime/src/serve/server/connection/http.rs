//! The methods of a connection that only the HTTP endpoint uses.

use std::sync::Arc;

use super::Connection;
use crate::{
    engine::call::{MessageSink, request::Session},
    wire::protocol::revision::Revision,
};

impl Connection {
    /// Returns the revision that the handshake negotiated, if there was a handshake.
    pub(crate) fn negotiated(&self) -> Option<Revision> {
        self.session().map(|session| session.client.revision())
    }

    /// Begins a session for a single POST of this revision, whose client has no other session. A revision without sessions
    /// needs none.
    pub(crate) fn begin_request(&self, revision: Revision) {
        if !revision.is_modern() {
            *self.session.lock() = Some(Arc::new(Session::of_one_request(revision)));
        }
    }

    /// Sends notices to this sink as long as the session exists.
    pub(crate) fn begin_notices(&self, sink: &Arc<dyn MessageSink>) {
        if let Some(session) = self.session() {
            self.server.session_began(&session, sink, &self.runtime);
        }
    }

    /// Sends the notices that have waited for the stream of the session.
    pub(crate) fn notices_opened(&self) {
        if let Some(session) = self.session() {
            self.server.extensions.iter().for_each(|extension| extension.stream_opened(&session));
        }
    }
}
