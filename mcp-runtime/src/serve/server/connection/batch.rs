//! Batches: arrays of messages, which only revision 2025-03-26 allows.
//!
//! A batch multiplies the cost of one message, so the server limits the number of its messages and the size of its
//! responses. Its messages are handled one at a time, so that other clients are served in between.

use std::sync::Arc;

use super::{Connection, Received};
use crate::{
    engine::call::request::Peer,
    serve::server::core::reply_to::{Batch, BatchMessages, ReplyTo},
    wire::protocol::{error::RpcError, frame::Frame, message::Message, scan::Scanner},
};

/// The maximum number of messages in a batch.
const MOST_MESSAGES: usize = 100;

impl Connection {
    /// Reads a batch.
    ///
    /// # Errors
    /// Returns the error response if the text is not an array of messages, if the array is empty or too long, or if the
    /// client's revision has no batches.
    pub(crate) fn read_batch<'a>(&self, text: &'a str) -> Result<BatchMessages<'a>, Frame> {
        let refuse = |error: RpcError| Err(Frame::error(None, &error));
        let mut scanner = Scanner::new(text);
        let (mut messages, mut count) = (Vec::new(), 0);
        let read = scanner.elements(|scanner| {
            let message = scanner.value()?;
            count += 1;
            if count <= MOST_MESSAGES {
                messages.push(message);
            }
            Ok(())
        });
        if let Err(error) = read.and_then(|_| scanner.end()) {
            return refuse(RpcError::parse(format!("not JSON: {error}")));
        }
        if !self.session().is_some_and(|session| session.client.revision().has_batches()) {
            let reason = "only revision 2025-03-26 allows an array of messages; send each message alone";
            return refuse(RpcError::invalid_request(reason));
        }
        if messages.is_empty() {
            return refuse(RpcError::invalid_request("an array of messages must not be empty"));
        }
        if count > MOST_MESSAGES {
            return refuse(RpcError::invalid_request(format!(
                "the batch has {count} messages, and at most {MOST_MESSAGES} are allowed; send several batches"
            )));
        }
        let missing = messages.iter().filter(|message| is_answered(message)).count();
        let batch = Arc::new(Batch::new(missing));
        Ok(BatchMessages { left: messages.into_iter(), batch })
    }

    /// Handles the next message of a batch. Returns `None` if no message is left. If the response to this message
    /// completes the batch, returns the response array.
    pub(crate) fn take_next(&self, peer: &Peer, messages: &mut BatchMessages<'_>) -> Option<Received<'static>> {
        let message = Message::read(messages.left.next()?);
        let reply_to = ReplyTo::Batch(Arc::clone(&messages.batch));
        if let Ok(Message::Request { id, .. }) = &message
            && let Some(bytes) = messages.batch.is_full()
        {
            let reason = format!(
                "this request did not run, because its batch has reached the limit: {bytes} bytes of responses"
            );
            let full = RpcError::too_many(&reason);
            let reply = reply_to.deliver(Some(Frame::error(Some(id), &full)));
            return Some(reply.map_or(Received::Nothing, Received::Reply));
        }
        Some(self.take(peer, message, &reply_to))
    }

    /// Handles all messages of a batch, and yields to other tasks after each message. Returns the response array if all
    /// responses are present.
    pub(crate) async fn take_batch(&self, peer: &Peer, mut messages: BatchMessages<'_>) -> Option<Frame> {
        let mut reply = None;
        while let Some(received) = self.take_next(peer, &mut messages) {
            if let Received::Reply(frame) = received {
                reply = Some(frame);
            }
            tokio::task::yield_now().await;
        }
        reply
    }
}

/// Returns whether a message gets a response. A malformed message gets an error response.
fn is_answered(message: &str) -> bool {
    !matches!(Message::read(message), Ok(Message::Notification { .. } | Message::Response { .. }))
}
