//! The methods of a connection that only tests use.

use super::Connection;
use crate::{engine::call::Call, wire::protocol::id::Id};

impl Connection {
    /// Returns the calls in flight.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.calls()
    }

    /// Returns the key of the question that the server sent with this request id.
    pub(crate) fn question_key(&self, id: &str) -> Option<String> {
        self.questions.begun()?.key(&Id::read(id)?)
    }
}
