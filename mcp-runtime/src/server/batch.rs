//! Arrays of messages: revision 2025-03-26 only.
//!
//! An array multiplies what one message can cost, so it is bounded: in the number of its messages, and in the bytes of the
//! array that answers it. Its messages are taken one at a time, so that other clients are served between them.

use std::{
    sync::{Arc, Mutex, PoisonError},
    vec,
};

use super::connection::{Connection, Received};
use crate::{
    call::request::Peer,
    protocol::{error::RpcError, frame::Frame, message::Message, scan::Scanner},
};

/// An array has at most so many messages.
const MOST_MESSAGES: usize = 100;

/// When the responses to an array have so many bytes, no further request of it begins.
const MOST_BYTES: usize = 4 * 1024 * 1024;

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
    bytes: usize,
}

/// The messages of an array that are not taken yet.
pub(crate) struct Messages<'a> {
    left: vec::IntoIter<&'a str>,
    batch: Arc<Batch>,
}

impl Connection {
    /// Reads an array of messages.
    ///
    /// # Errors
    /// The answer to what is not an array of messages that this client may send.
    pub(crate) fn read_batch<'a>(&self, text: &'a str) -> Result<Messages<'a>, Frame> {
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
            return refuse(RpcError::invalid_request("an array of messages is part of revision 2025-03-26 only"));
        }
        if messages.is_empty() {
            return refuse(RpcError::invalid_request("an empty array of messages"));
        }
        if count > MOST_MESSAGES {
            return refuse(RpcError::invalid_request(format!(
                "an array of {count} messages; at most {MOST_MESSAGES} are allowed: send them in several arrays"
            )));
        }
        let missing = messages.iter().filter(|message| is_answered(message)).count();
        let batch = Arc::new(Batch(Mutex::new(Responses { missing, there: Vec::new(), bytes: 0 })));
        Ok(Messages { left: messages.into_iter(), batch })
    }

    /// Takes the next message of an array; `None` if all are taken. The responses leave together, when the last is there.
    pub(crate) fn take_next(&self, peer: &Peer, messages: &mut Messages<'_>) -> Option<Received<'static>> {
        let message = Message::read(messages.left.next()?);
        let reply_to = ReplyTo::Batch(Arc::clone(&messages.batch));
        if let Ok(Message::Request { id, .. }) = &message
            && let Some(bytes) = messages.batch.is_full()
        {
            let full = RpcError::too_many(&format!("the responses to this array have {bytes} bytes already"));
            let reply = reply_to.deliver(Some(Frame::error(Some(id), &full)));
            return Some(reply.map_or(Received::Nothing, Received::Reply));
        }
        Some(self.take(peer, message, &reply_to))
    }

    /// Takes all messages of an array, and lets other tasks run between them. The array that answers it, if all
    /// responses are there.
    pub(crate) async fn take_batch(&self, peer: &Peer, mut messages: Messages<'_>) -> Option<Frame> {
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

impl ReplyTo {
    /// What is to be sent now that this response is there. `None` for a response that never comes.
    pub(super) fn deliver(&self, response: Option<Frame>) -> Option<Frame> {
        let Self::Batch(batch) = self else { return response };
        let mut responses = batch.0.lock().unwrap_or_else(PoisonError::into_inner);
        responses.missing -= 1;
        responses.bytes += response.as_ref().map_or(0, Frame::len);
        responses.there.extend(response);
        (responses.missing == 0 && !responses.there.is_empty()).then(|| Frame::batch(&responses.there))
    }
}

impl Batch {
    /// How many bytes the responses have, if that is as many as they may.
    fn is_full(&self) -> Option<usize> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).bytes;
        (bytes >= MOST_BYTES).then_some(bytes)
    }
}

/// Whether a message has a response, be it an error.
fn is_answered(message: &str) -> bool {
    !matches!(Message::read(message), Ok(Message::Notification { .. } | Message::Response { .. }))
}
