//! Answers `GET` with a stream. The stream contains the messages of a session that belong to no request, or the rest of
//! a stream whose connection broke.

use std::sync::Arc;

use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};

use super::{accept::accepts_events, events, exchange::Exchange, reply};
use crate::{
    serve::http::{session::HttpSession, shared::lifecycle::Lifecycle},
    wire::protocol::error::RpcError,
};

const LAST_EVENT_ID: &str = "last-event-id";

pub(super) fn get(lifecycle: &Lifecycle, session: Arc<HttpSession>, headers: &HeaderMap) -> Response {
    if !accepts_events(headers) {
        return reply::refused(StatusCode::NOT_ACCEPTABLE, "`Accept` must list `text/event-stream`");
    }
    let Some(last) = headers.get(LAST_EVENT_ID) else {
        let stream = session.streams.lock().listen();
        // This check must come after the stream is registered. A later call of `retire` ends the stream, and this check
        // detects an earlier call.
        if lifecycle.is_retired() {
            stream.end();
            return reply::error(&RpcError::stopping());
        }
        return match stream.read_behind(None) {
            Some(cursor) => {
                let listener = session.listener();
                session.connection.notices_opened();
                events::response(stream, cursor, Exchange::Listening(listener), None)
            }
            None => reply::busy(),
        };
    };
    match last.to_str().ok().and_then(|last| session.resume(last)) {
        Some((stream, cursor)) => {
            events::response(stream, cursor, Exchange::InSession(session), Some(lifecycle.enter()))
        }
        None => reply::refused(
            StatusCode::BAD_REQUEST,
            "the event in `Last-Event-ID` is no longer stored, so its stream cannot be resumed; send the request again",
        ),
    }
}
