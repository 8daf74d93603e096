//! The response to a posted message: JSON, or a stream of events if the call sends messages before its answer.

use std::{future::poll_fn, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_TYPE, RETRY_AFTER},
    },
    response::{IntoResponse as _, Response},
};

use super::events::{self, Exchange, KEEP_ALIVE};
use crate::{
    serve::http::{
        refusal::{name_scopes, seconds},
        session::{FirstEvent, Stream},
        shared::lifecycle::Lifecycle,
    },
    wire::protocol::{error::RpcError, frame::Frame},
};

/// If a call sends no message for this time, its stream starts with an empty event, so that the client can resume the
/// stream. The server does this only for clients that reconnect after a disconnect.
const STREAM_AFTER: Duration = Duration::from_secs(1);

/// A reply whose memory has more unused bytes than this is copied, because the connection keeps it until the client has
/// read it.
const MOST_UNUSED: usize = 1024;

/// Returns the response to a message whose answer is sent on this stream.
pub(super) async fn to(lifecycle: &Lifecycle, stream: Arc<Stream>, mut exchange: Exchange) -> Response {
    let begun = poll_fn(|cx| stream.poll_begun(cx));
    let first = match stream.begun() {
        Some(first) => first,
        None if stream.only_answer => begun.await,
        None => {
            let wait = if exchange.polls() { STREAM_AFTER } else { KEEP_ALIVE };
            // Boxed, because most answers are there by now, and each request reserves space for its future.
            Box::pin(tokio::time::timeout(wait, begun)).await.unwrap_or(FirstEvent::Opened)
        }
    };
    match first {
        FirstEvent::Answer(frame) => {
            exchange.done();
            json(frame)
        }
        // The message was a notification or a response. A request always gets an answer.
        FirstEvent::Silent => StatusCode::ACCEPTED.into_response(),
        FirstEvent::Opened => {
            if let Exchange::InSession(session) = &exchange {
                session.keep(&stream);
            }
            match stream.read_behind(None) {
                Some(cursor) => events::response(stream, cursor, exchange, Some(lifecycle.exchanges.enter())),
                None => busy(),
            }
        }
    }
}

/// Returns a response with one JSON message.
pub(super) fn json(mut frame: Frame) -> Response {
    let status = frame.status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or_default();
    let hint = frame.hint.take();
    let bytes = if frame.tail.is_none() && frame.head.capacity() <= frame.head.len() + MOST_UNUSED {
        frame.head
    } else {
        let mut exact = Vec::with_capacity(frame.len());
        frame.write_to(&mut exact);
        exact
    };
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        let wanted = hint.as_ref().and_then(|hint| hint.retry_after);
        headers.insert(RETRY_AFTER, wanted.map_or(1, seconds).into());
    }
    if let Some(hint) = &hint {
        name_scopes(&mut response, &hint.required_scopes);
    }
    response
}

/// Returns an error response without a request id.
pub(super) fn error(error: &RpcError) -> Response {
    json(Frame::error(None, error))
}

/// Returns an error response without a request id, with this status.
pub(super) fn refused(status: StatusCode, why: impl Into<String>) -> Response {
    error(&RpcError::invalid_request(why).with_status(status.as_u16()))
}

pub(super) fn busy() -> Response {
    error(&RpcError::overloaded("this server has reached its limit of calls in flight"))
}
