//! Messages that are longer than the limit.

use super::{Connection, Received};
use crate::wire::protocol::{error::RpcError, frame::Frame, oversized::OversizedMessage};

impl Connection {
    /// Handles a message that is too long. Rejects a request. If the message answers a question of a call, the question
    /// fails.
    pub(crate) fn oversized(&self, message: OversizedMessage) -> Received<'static> {
        let limit = self.server.settings.limits.message_size();
        let error = RpcError::invalid_request(format!("a message must have at most {limit} bytes"));
        let id = match message {
            OversizedMessage::Request(id) => Some(id),
            OversizedMessage::Other => None,
            OversizedMessage::Response(id) => {
                let mut text = Vec::new();
                error.push(&mut text);
                if let Some(session) = self.session()
                    && let Some(asker) = session.questions.begun()
                {
                    asker.answered(&id, Err(&String::from_utf8_lossy(&text)));
                }
                return Received::Nothing;
            }
        };
        Received::Reply(Frame::error(id.as_ref(), &error))
    }
}
