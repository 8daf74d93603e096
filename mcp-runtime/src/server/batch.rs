//! Arrays of messages: revision 2025-03-26 only.

use std::sync::{Arc, Mutex, PoisonError};

use super::connection::{Connection, Received};
use crate::{
    call::request::Peer,
    wire::{error::RpcError, frame::Frame, message::Message, scan::Scanner},
};

/// Where a response goes: out by itself, or into the array that answers a batch.
#[derive(Clone)]
pub(super) enum ReplyTo {
    Alone,
    Batch(Arc<Batch>),
}

/// The responses of a batch, until all are there.
pub(super) struct Batch(Mutex<Responses>);

struct Responses {
    missing: usize,
    there: Vec<Frame>,
}

impl Connection {
    /// Takes each message of an array; their responses leave together, when the last is there.
    pub(crate) fn batch(&self, peer: &Peer, text: &str) -> Received {
        let refuse = |error: RpcError| Received::Reply(Frame::error(None, &error));
        let mut scanner = Scanner::new(text);
        let messages = match scanner.array().and_then(|messages| scanner.end().map(|()| messages)) {
            Ok(messages) => messages.unwrap_or_default(),
            Err(error) => return refuse(RpcError::parse(format!("not JSON: {error}"))),
        };
        if !self.session().is_some_and(|session| session.client.revision().has_batches()) {
            return refuse(RpcError::invalid_request("an array of messages is part of revision 2025-03-26 only"));
        }
        if messages.is_empty() {
            return refuse(RpcError::invalid_request("an empty array of messages"));
        }
        let missing = messages.iter().filter(|message| is_answered(message)).count();
        let reply_to = ReplyTo::Batch(Arc::new(Batch(Mutex::new(Responses { missing, there: Vec::new() }))));
        let mut reply: Option<Frame> = None;
        for message in messages {
            match self.take(peer, Message::read(message), &reply_to) {
                Received::Nothing => {}
                // The rest of the batch does not wait; the call begins when there is room.
                Received::Busy(waiting) => drop(self.runtime.spawn(waiting.start())),
                Received::Reply(frame) => reply = Some(frame),
            }
        }
        reply.map_or(Received::Nothing, Received::Reply)
    }
}

impl ReplyTo {
    /// What is to be sent now that this response is there. `None` for a response that never comes.
    pub(super) fn deliver(&self, response: Option<Frame>) -> Option<Frame> {
        let Self::Batch(batch) = self else { return response };
        let mut responses = batch.0.lock().unwrap_or_else(PoisonError::into_inner);
        responses.missing -= 1;
        responses.there.extend(response);
        (responses.missing == 0 && !responses.there.is_empty()).then(|| Frame::batch(&responses.there))
    }
}

/// Whether a message has a response, be it an error.
fn is_answered(message: &str) -> bool {
    !matches!(Message::read(message), Ok(Message::Notification { .. } | Message::Response { .. }))
}
