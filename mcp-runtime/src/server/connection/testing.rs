//! The methods of a connection that only tests use.

use tokio::task::AbortHandle;

use super::Connection;
use crate::protocol::id::Id;

impl Connection {
    /// Returns the tasks of the calls in flight.
    pub(crate) fn tasks(&self) -> Vec<AbortHandle> {
        self.calls.tasks()
    }

    /// Returns the key of the question that the server sent with this request id, until the client has answered.
    pub(crate) fn question_key(&self, id: &str) -> Option<String> {
        self.questions.begun()?.key(&Id::read(id)?)
    }
}
