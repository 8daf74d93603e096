//! The response to a posted message: JSON, or a stream of events if the call sends messages before its answer.

use std::{future::poll_fn, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_TYPE, RETRY_AFTER},
    },
    response::Response,
};
use serde_json::Value;

use super::{
    Http, auth, empty,
    events::{self, KEEP_ALIVE},
    guard::RefusedRequest,
    session::{HttpSession, Listener},
    shutdown::Lifecycle,
    stream::{FirstEvent, Stream},
};
use crate::{
    serve::server::connection::Connection,
    wire::protocol::{error::RpcError, frame::Frame},
};

/// If a call sends no message for this time, its stream starts with an empty event, so that the client can resume the
/// stream. The server does this only for clients that reconnect after a disconnect.
const STREAM_AFTER: Duration = Duration::from_secs(1);

/// A request in flight. If this value is dropped before the request is answered, the client has disconnected.
pub(super) enum Exchange {
    /// A request without session. The server cancels the request when its client disconnects.
    Alone(Option<Arc<Connection>>),
    /// A request in a session. The request continues when its client disconnects.
    InSession(Arc<HttpSession>),
    /// The stream of a `GET`, for messages that belong to no request.
    Listening(Listener),
}

/// Returns the response to a message whose answer is sent on this stream.
pub(super) async fn to(lifecycle: &Lifecycle, stream: Arc<Stream>, mut exchange: Exchange) -> Response {
    let begun = poll_fn(|cx| stream.poll_begun(cx));
    let wait = if exchange.polls() { STREAM_AFTER } else { KEEP_ALIVE };
    let first = match stream.has_only_answer() {
        true => begun.await,
        false => tokio::time::timeout(wait, begun).await.unwrap_or(FirstEvent::Opened),
    };
    match first {
        FirstEvent::Answer(frame) => {
            exchange.done();
            json(&frame, None)
        }
        // The message was a notification or a response. A request always gets an answer.
        FirstEvent::Silent => empty(StatusCode::ACCEPTED),
        FirstEvent::Opened => {
            if let Exchange::InSession(session) = &exchange {
                session.keep(&stream);
            }
            match stream.read_behind(None) {
                Some(cursor) => events::response(stream, cursor, exchange, Some(lifecycle.enter())),
                None => busy(),
            }
        }
    }
}

/// Returns a response with one JSON message.
pub(super) fn json(frame: &Frame, status: Option<StatusCode>) -> Response {
    let of_frame = || frame.status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or_default();
    let status = status.unwrap_or_else(of_frame);
    let mut bytes = Vec::with_capacity(frame.len());
    frame.write_to(&mut bytes);
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        headers.insert(RETRY_AFTER, retry_after(frame).into());
    }
    if status == StatusCode::FORBIDDEN {
        auth::name_scopes(&mut response, frame);
    }
    response
}

/// Returns the number of seconds after which a client that gets this error should retry. Default: one second.
fn retry_after(frame: &Frame) -> u64 {
    let wanted = error_data(frame)["retryAfterMs"].as_u64();
    wanted.map_or(1, |milliseconds| milliseconds.div_ceil(1000).max(1))
}

/// Returns the `data` of an error response, or `null`.
pub(super) fn error_data(frame: &Frame) -> Value {
    serde_json::from_slice(&frame.head).map(|mut frame: Value| frame["error"]["data"].take()).unwrap_or_default()
}

/// Returns an error response without a request id.
pub(super) fn refused(status: StatusCode, why: impl Into<String>) -> Response {
    json(&Frame::error(None, &RpcError::invalid_request(why)), Some(status))
}

/// Writes the body of the response to a request that the guard refuses.
pub(super) fn of_refusal(refused: &RefusedRequest) -> Response {
    json(&Frame::error(None, &refused.error), Some(refused.status))
}

/// Returns the response to a request that is rejected because a limit is reached. The client can retry.
pub(super) fn full(error: &RpcError) -> Response {
    json(&Frame::error(None, error), None)
}

pub(super) fn busy() -> Response {
    full(&RpcError::overloaded("this server has reached its limit of calls in flight"))
}

impl Exchange {
    /// Creates the exchange of a request on a connection of its own.
    pub(super) fn alone(http: &Http, connection: Arc<Connection>) -> Self {
        http.standalone.add(&connection);
        Self::Alone(Some(connection))
    }

    /// Marks the request as answered.
    pub(super) fn done(&mut self) {
        if let Self::Alone(connection) = self {
            *connection = None;
        }
    }

    /// Whether the client reconnects after a disconnect.
    fn polls(&self) -> bool {
        matches!(self, Self::InSession(session) if session.polls())
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        match self {
            Self::Alone(connection) => connection.iter().for_each(|connection| connection.abort()),
            Self::InSession(session) => session.touch(),
            Self::Listening(listener) => listener.session().touch(),
        }
    }
}
