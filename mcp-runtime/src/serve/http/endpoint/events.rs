//! A request that is being answered, and the response body of its stream: `text/event-stream`.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::Body,
    http::{
        HeaderName, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_TYPE},
    },
    response::Response,
};
use bytes::Bytes;
use http_body::Frame;
use tokio::time::{Instant, Interval, interval_at};

use crate::{
    base::work_count::Counted,
    serve::{
        http::{
            session::{Cursor, HttpSession, Listener, Stream},
            shared::lifecycle::Standalone,
        },
        server::connection::Connection,
    },
};

/// Stops nginx from buffering a stream, if its value is `no`.
static BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How often an idle stream sends a comment, so that proxies keep the connection open.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// A request in flight. If this value is dropped before the request is answered, the client has disconnected.
pub(super) enum Exchange {
    /// A request without session. The server cancels the request when its client disconnects.
    Alone(Option<Arc<Connection>>),
    /// A request in a session. The request continues when its client disconnects.
    InSession(Arc<HttpSession>),
    /// The stream of a `GET`, for messages that belong to no request.
    Listening(Listener),
}

impl Exchange {
    /// Creates the exchange of a request on a connection of its own.
    pub(super) fn alone(standalone: &Standalone, connection: Arc<Connection>) -> Self {
        standalone.add(&connection);
        Self::Alone(Some(connection))
    }

    /// Marks the request as answered.
    pub(super) fn done(&mut self) {
        if let Self::Alone(connection) = self {
            *connection = None;
        }
    }

    /// Whether the client reconnects after a disconnect.
    pub(super) fn polls(&self) -> bool {
        matches!(self, Self::InSession(session) if session.polls())
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        match self {
            Self::Alone(connection) => connection.iter().for_each(|connection| connection.abort()),
            Self::InSession(session) => session.touch(),
            Self::Listening(listener) => listener.session.touch(),
        }
    }
}

/// A response body that sends the messages of one stream as events.
struct EventBody {
    stream: Arc<Stream>,
    cursor: Cursor,
    keep_alive: Interval,
    exchange: Exchange,
    ended: bool,
    /// Counts the request as in flight until the stream ends.
    _answering: Option<Counted>,
}

/// Returns a response with the messages of a stream, beginning at `cursor`. The guard `answering` counts the stream's
/// request as in flight, so a shutdown waits for the stream. Without this guard, a shutdown does not wait.
pub(super) fn response(
    stream: Arc<Stream>,
    cursor: Cursor,
    exchange: Exchange,
    answering: Option<Counted>,
) -> Response {
    let keep_alive = interval_at(Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
    let body = EventBody { stream, cursor, keep_alive, exchange, ended: false, _answering: answering };
    let mut response = Response::new(Body::new(body));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(BUFFERING.clone(), HeaderValue::from_static("no"));
    response
}

impl http_body::Body for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = &mut *self;
        if this.ended {
            return Poll::Ready(None);
        }
        let event = match this.stream.poll_next(&mut this.cursor, cx) {
            Poll::Ready(event) => event,
            Poll::Pending => {
                ready!(this.keep_alive.poll_tick(cx));
                return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b":\n\n")))));
            }
        };
        this.ended = event.as_ref().is_none_or(|event| event.last);
        if this.ended {
            this.exchange.done();
        }
        Poll::Ready(event.map(|event| Ok(Frame::data(event.bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.ended
    }
}
