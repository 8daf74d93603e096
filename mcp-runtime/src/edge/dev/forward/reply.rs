//! The body of a response, which passes through as it arrives.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::task::JoinSet;

use crate::edge::dev::session::HostReply;

/// The body of a response of the process. Its messages are logged on the way. Dropping it closes the connection to the
/// process.
pub(super) struct ForwardedBody {
    body: Incoming,
    /// `None` after the end.
    messages: Option<HostReply>,
    _connection: JoinSet<()>,
}

impl ForwardedBody {
    pub(super) fn new(body: Incoming, messages: HostReply, connection: JoinSet<()>) -> Self {
        let mut forwarded = Self { body, messages: Some(messages), _connection: connection };
        forwarded.end_if_whole();
        forwarded
    }

    /// Logs the last message. A reader of the body does not ask for more if its length is known.
    fn end_if_whole(&mut self) {
        if self.body.is_end_stream()
            && let Some(messages) = self.messages.take()
        {
            messages.end();
        }
    }
}

impl Body for ForwardedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        match (&frame, &mut self.messages) {
            (Some(Ok(frame)), Some(messages)) => {
                frame.data_ref().into_iter().for_each(|bytes| messages.read(bytes));
                self.end_if_whole();
            }
            (Some(Err(error)), _) => {
                if let Some(messages) = self.messages.take() {
                    messages.broke_off(&error.to_string());
                }
            }
            (None, _) => {
                if let Some(messages) = self.messages.take() {
                    messages.end();
                }
            }
            (Some(Ok(_)), None) => {}
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
