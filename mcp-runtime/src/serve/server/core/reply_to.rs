//! Where the response to a request goes.

use std::{sync::Arc, vec};

use crate::{
    base::mutex::Mutex,
    engine::call::body::Body,
    wire::protocol::{frame::Frame, id::Id},
};

/// When the responses to a batch reach this many bytes, the server rejects the remaining requests of the batch.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// How a response is sent: alone, or in the response array of a batch. A caller in the same process gets the reply as
/// it is.
#[derive(Clone)]
pub(crate) enum ReplyTo {
    Alone,
    Batch(Arc<Batch>),
    #[allow(dead_code, reason = "only some features have callers in the same process")]
    Caller(Arc<dyn TakesReply>),
}

/// Takes the reply to one request in the same process.
pub(crate) trait TakesReply: Send + Sync {
    fn take(&self, body: Body);
}

/// Collects the responses of a batch until all are present.
pub(crate) struct Batch(Mutex<BatchResponses>);

struct BatchResponses {
    missing: usize,
    there: Vec<Frame>,
    bytes: usize,
}

/// The messages of a batch that are not handled yet.
pub(crate) struct BatchMessages<'a> {
    pub(crate) left: vec::IntoIter<&'a str>,
    pub(crate) batch: Arc<Batch>,
}

impl ReplyTo {
    /// Delivers the reply to the request with this id. Returns the frame to send now.
    pub(crate) fn answer(&self, id: &Id<'_>, body: Body) -> Option<Frame> {
        match self {
            Self::Alone | Self::Batch(_) => self.deliver(Some(body.into_frame(id))),
            Self::Caller(caller) => {
                caller.take(body);
                None
            }
        }
    }

    /// Delivers the response to one message. `response` is `None` if the message gets no response. Returns the frame to
    /// send now: a response that is sent alone, or the response array of a batch that is now complete.
    pub(crate) fn deliver(&self, response: Option<Frame>) -> Option<Frame> {
        let Self::Batch(batch) = self else { return response };
        let mut responses = batch.0.lock();
        responses.missing -= 1;
        responses.bytes += response.as_ref().map_or(0, Frame::len);
        responses.there.extend(response);
        (responses.missing == 0 && !responses.there.is_empty()).then(|| Frame::batch(&responses.there))
    }
}

impl Batch {
    /// Creates a batch of this many responses.
    pub(crate) fn new(missing: usize) -> Self {
        Self(Mutex::new(BatchResponses { missing, there: Vec::new(), bytes: 0 }))
    }

    /// If the responses have reached the size limit of a batch, returns their size in bytes.
    pub(crate) fn is_full(&self) -> Option<usize> {
        let bytes = self.0.lock().bytes;
        (bytes >= MOST_BYTES).then_some(bytes)
    }
}
