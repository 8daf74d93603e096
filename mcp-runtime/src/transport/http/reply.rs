//! The response to a posted message: JSON, unless its call speaks before it ends; then a stream of events.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::Body,
    http::{
        HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER},
    },
    response::Response,
};
use bytes::Bytes;
use http_body::Frame as BodyFrame;
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{Instant, Interval, interval_at},
};

use super::empty;
use crate::{
    server::connection::{Connection, Received},
    wire::{error::RpcError, frame::Frame},
};

/// So often something is said on a stream on which nothing happens, for what stands between.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// What is said about one request, as events. Dropped before the response, a request that stands alone is cancelled.
struct Events {
    first: Option<Frame>,
    frames: UnboundedReceiver<Frame>,
    keep_alive: Interval,
    exchange: Exchange,
}

/// A request that is being answered.
struct Exchange {
    connection: Arc<Connection>,
    /// Whether it is cancelled when its client goes away.
    alone: bool,
    answered: bool,
}

/// Answers a message.
pub(super) async fn to(
    received: Received,
    mut frames: UnboundedReceiver<Frame>,
    connection: Arc<Connection>,
    alone: bool,
) -> Response {
    match received {
        Received::Reply(frame) => return json(&frame, None),
        // What waits for room is answered as what is over.
        Received::Busy(_) | Received::Nothing => {}
    }
    let mut exchange = Exchange { connection, alone, answered: false };
    // The last to hold the sender is the request: nothing comes of a notification or a response.
    let Some(first) = frames.recv().await else {
        exchange.answered = true;
        return empty(StatusCode::ACCEPTED);
    };
    if first.status.is_some() {
        exchange.answered = true;
        return json(&first, None);
    }
    let keep_alive = interval_at(Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
    let events = Events { first: Some(first), frames, keep_alive, exchange };
    let mut response = Response::new(Body::new(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// A response that is one message.
pub(super) fn json(frame: &Frame, status: Option<StatusCode>) -> Response {
    let of_frame = || frame.status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or_default();
    let status = status.unwrap_or_else(of_frame);
    let mut response = Response::new(Body::from(bytes_of(frame, [b"", b""])));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    // Whatever there is too much of: most of it is over soon.
    if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// A request of which nothing has begun and which may come again, though its id is not known.
pub(super) fn later(error: &RpcError) -> Response {
    json(&Frame::error(None, error), None)
}

/// Whoever is not allowed to ask learns why: most often it is a setting of its operator's.
pub(super) fn refused(why: &impl ToString) -> Response {
    json(&Frame::error(None, &RpcError::invalid_request(why.to_string())), Some(StatusCode::FORBIDDEN))
}

fn bytes_of(frame: &Frame, [before, after]: [&[u8]; 2]) -> Bytes {
    let mut bytes = before.to_vec();
    bytes.extend_from_slice(&frame.head);
    if let Some(tail) = &frame.tail {
        bytes.extend_from_slice(tail);
    }
    bytes.extend_from_slice(after);
    bytes.into()
}

impl http_body::Body for Events {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<BodyFrame<Bytes>, Self::Error>>> {
        let this = &mut *self;
        if this.exchange.answered {
            return Poll::Ready(None);
        }
        let frame = match this.first.take() {
            Some(first) => Some(first),
            None => match this.frames.poll_recv(cx) {
                Poll::Ready(frame) => frame,
                Poll::Pending => {
                    ready!(this.keep_alive.poll_tick(cx));
                    return Poll::Ready(Some(Ok(BodyFrame::data(Bytes::from_static(b":\n\n")))));
                }
            },
        };
        let Some(frame) = frame else {
            this.exchange.answered = true;
            return Poll::Ready(None);
        };
        this.exchange.answered = frame.status.is_some();
        Poll::Ready(Some(Ok(BodyFrame::data(bytes_of(&frame, [b"data: ", b"\n"])))))
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if self.alone && !self.answered {
            self.connection.abort();
        }
    }
}
