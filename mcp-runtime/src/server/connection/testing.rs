//! What tests learn of a connection besides.

use tokio::task::AbortHandle;

use super::Connection;
use crate::protocol::id::Id;

impl Connection {
    /// The tasks of the calls in flight.
    pub(crate) fn tasks(&self) -> Vec<AbortHandle> {
        self.calls.tasks()
    }

    /// The key of the question that was asked by the request of this id, until it is answered.
    pub(crate) fn question_key(&self, id: &str) -> Option<String> {
        self.questions.begun()?.key(&Id::read(id)?)
    }
}
