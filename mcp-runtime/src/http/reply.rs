//! The response to a posted message: JSON, unless its call speaks before it ends; then a stream of events.

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
    auth, empty,
    events::{self, KEEP_ALIVE},
    session::{Listener, Session},
    shutdown::Lifecycle,
    stream::{Begun, Stream},
};
use crate::{
    protocol::{error::RpcError, frame::Frame},
    server::connection::Connection,
};

/// A call that takes longer begins its stream with an event of no message: from then on it can be come back to.
const SOON: Duration = Duration::from_secs(1);

/// A request that is being answered.
pub(super) enum Exchange {
    /// It is cancelled when its client goes away before this is done.
    Alone(Option<Arc<Connection>>),
    /// It goes on.
    InSession(Arc<Session>),
    /// Nothing is answered.
    Listening(Listener),
}

/// Answers a message whose answer is said on its stream.
pub(super) async fn to(lifecycle: &Lifecycle, stream: Arc<Stream>, mut exchange: Exchange) -> Response {
    let wait = if exchange.polls() { SOON } else { KEEP_ALIVE };
    match tokio::time::timeout(wait, poll_fn(|cx| stream.poll_begun(cx))).await.unwrap_or(Begun::Speaks) {
        Begun::Answer(frame) => {
            exchange.done();
            json(&frame, None)
        }
        // The last to say something is the request: nothing comes of a notification or a response.
        Begun::Silent => empty(StatusCode::ACCEPTED),
        Begun::Speaks => {
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

/// A response that is one message.
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

/// The time that an error asks its client to wait, in whole seconds. One second if it names none.
fn retry_after(frame: &Frame) -> u64 {
    let wanted = error_data(frame)["retryAfterMs"].as_u64();
    wanted.map_or(1, |milliseconds| milliseconds.div_ceil(1000).max(1))
}

/// The `data` of an error, if there is any.
pub(super) fn error_data(frame: &Frame) -> Value {
    serde_json::from_slice(&frame.head).map(|mut frame: Value| frame["error"]["data"].take()).unwrap_or_default()
}

/// A response that is an error of no request.
pub(super) fn refused(status: StatusCode, why: impl Into<String>) -> Response {
    json(&Frame::error(None, &RpcError::invalid_request(why)), Some(status))
}

/// There is too much of something for the request to be taken. It may come again.
pub(super) fn full(error: &RpcError) -> Response {
    json(&Frame::error(None, error), None)
}

pub(super) fn busy() -> Response {
    full(&RpcError::overloaded("this server has as many calls as it may"))
}

impl Exchange {
    /// Everything is said.
    pub(super) fn done(&mut self) {
        if let Self::Alone(connection) = self {
            *connection = None;
        }
    }

    /// Whether its client comes again when its connection is gone.
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
