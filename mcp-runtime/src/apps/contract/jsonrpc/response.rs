//! The response to a request.

use std::{
    collections::VecDeque,
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::Response,
};
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use serde_json::{json, value::RawValue};

use super::ErrorObject;
use crate::{
    apps::contract::{RefusedCall, endpoint::bytes_of},
    serve::http::guard::status_of,
    wire::protocol::error::RpcError,
};

/// The response to a request, in pieces, so that a large result is not copied.
pub(super) struct RpcResponse {
    pieces: [Bytes; 3],
    /// The reason, if the call was refused.
    refusal: Option<RefusedCall>,
}

impl RpcResponse {
    /// Creates the response with this result. The parameter `id` is JSON text.
    pub(super) fn result(id: &str, result: Box<RawValue>) -> Self {
        let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"#);
        Self { pieces: [head.into(), bytes_of(result), Bytes::from_static(b"}")], refusal: None }
    }

    /// Creates the response with this error. The parameter `id` is JSON text.
    pub(super) fn error(id: &str, error: &ErrorObject) -> Self {
        Self { pieces: [error.response(id).into(), Bytes::new(), Bytes::new()], refusal: None }
    }

    /// Returns the response to a request for the OpenRPC document.
    pub(super) fn document(document: Box<RawValue>) -> Response {
        json(StatusCode::OK, bytes_of(document).into())
    }

    /// Creates the response to a call that was refused before its method ran.
    pub(super) fn refused(id: &str, refusal: RefusedCall) -> Self {
        let mut data = json!({ "status": refusal.status() });
        if let Some(time) = refusal.retry_after() {
            data["retryAfterMs"] = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).into();
        }
        if !refusal.required_scopes().is_empty() {
            data["requiredScopes"] = json!(refusal.required_scopes());
        }
        let error = ErrorObject::new(refusal.0.code, refusal.to_string()).with_data(data);
        Self { refusal: Some(refusal), ..Self::error(id, &error) }
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.iter().map(Bytes::len).sum()
    }

    /// Returns the HTTP response to a request that is alone in its body. The status and the headers of a refused
    /// request say so, too.
    pub(super) fn into_response(self) -> Response {
        let body = |pieces| json(StatusCode::OK, Pieces::body(pieces));
        match self.refusal {
            None => body(self.pieces),
            Some(refusal) => refusal.into_refused().into_response(|_| body(self.pieces)),
        }
    }
}

/// Returns the HTTP response to a batch.
pub(super) fn of_batch(responses: Vec<RpcResponse>) -> Response {
    let mut pieces = Vec::with_capacity(4 * responses.len() + 1);
    for (index, response) in responses.into_iter().enumerate() {
        pieces.push(Bytes::from_static(if index == 0 { b"[" } else { b"," }));
        pieces.extend(response.pieces);
    }
    pieces.push(Bytes::from_static(b"]"));
    json(StatusCode::OK, Pieces::body(pieces))
}

/// Returns the response to a request that the guard refuses.
pub(super) fn of_refused(error: &RpcError) -> Response {
    failed(status_of(error), &ErrorObject::new(error.code, &*error.message))
}

/// Returns the response to a body that is not a request.
pub(super) fn failed(status: StatusCode, error: &ErrorObject) -> Response {
    json(status, error.response("null").into())
}

fn json(status: StatusCode, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A body of several pieces, which are not joined.
struct Pieces(VecDeque<Bytes>);

impl Pieces {
    fn body(pieces: impl IntoIterator<Item = Bytes>) -> Body {
        Body::new(Self(pieces.into_iter().filter(|piece| !piece.is_empty()).collect()))
    }
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(|piece| piece.len() as u64).sum())
    }
}
