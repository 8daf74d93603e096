//! Limits the memory of large replies that clients have not read yet.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};

use super::owner::{Owner, OwnerCount, OwnerCounts};
use crate::{
    engine::call::observer::{Observer as _, observer},
    serve::http::refusal::RefusedRequest,
    wire::protocol::error::RpcError,
};

/// A reply of more than this many bytes counts. It is passed on in pieces of this size, because the connection keeps
/// what it was given until the client has read it.
const LARGE: usize = 64 * 1024;

/// The large replies of a service that are not read yet.
pub(crate) struct UnreadReplies {
    /// The bytes of the replies of all clients.
    total: Arc<AtomicUsize>,
    owned: OwnerCounts,
    /// The limit for all clients. That for one client is half of it.
    most: usize,
}

/// A large reply, which counts until the connection has taken its last piece.
struct LargeReply {
    body: Body,
    /// The rest of a frame that is passed on in pieces.
    rest: Bytes,
    bytes: usize,
    total: Arc<AtomicUsize>,
    _owned: Option<OwnerCount>,
}

impl UnreadReplies {
    pub(crate) fn new(most: usize) -> Self {
        Self { total: Arc::default(), owned: OwnerCounts::default(), most: most.max(2) }
    }

    /// Checks whether a request of this client may begin.
    pub(crate) fn admit(&self, owner: Option<&Owner>) -> Result<(), RefusedRequest> {
        let (total, most_of_client) = (self.total.load(Ordering::Relaxed), self.most / 2);
        if total < most_of_client {
            return Ok(());
        }
        let of_client = owner.map_or(0, |owner| self.owned.of(owner));
        let error = if of_client >= most_of_client {
            RpcError::too_many(&format!("you have not read {of_client} bytes of earlier replies; read them first"))
        } else if total >= self.most {
            RpcError::overloaded("the clients of this server have not read their replies")
        } else {
            return Ok(());
        };
        observer().turned_away("replies");
        Err(error.into())
    }

    /// Counts the response until it is read, if it is large.
    pub(crate) fn track(&self, response: Response, owner: Option<Owner>) -> Response {
        match response.body().size_hint().exact().map(usize::try_from) {
            Some(Ok(bytes)) if bytes > LARGE => response.map(|body| {
                self.total.fetch_add(bytes, Ordering::Relaxed);
                let (total, owned) = (Arc::clone(&self.total), self.owned.add(owner, bytes, usize::MAX));
                Body::new(LargeReply { body, rest: Bytes::new(), bytes, total, _owned: owned })
            }),
            _ => response,
        }
    }
}

impl Drop for LargeReply {
    fn drop(&mut self) {
        self.total.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl http_body::Body for LargeReply {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                other => return Poll::Ready(other),
            }
        }
        let piece = self.rest.len().min(LARGE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.body.size_hint();
        let rest = self.rest.len() as u64;
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}
