//! A request that the guard refuses, and its response.

use std::{borrow::Cow, time::Duration};

use axum::{body::Body, response::Response};
use http::{
    HeaderValue, StatusCode,
    header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
};
use serde_json::json;

use crate::wire::protocol::error::RpcError;

/// A request that was refused. Nothing of it has run.
#[derive(Debug)]
pub(crate) struct RefusedRequest {
    pub(crate) status: StatusCode,
    pub(crate) error: RpcError,
    challenge: Option<HeaderValue>,
    closes: bool,
}

/// Writes the body of the response to a refused request, in the form of an endpoint.
pub(crate) type Render = fn(&RefusedRequest) -> Response;

impl RefusedRequest {
    pub(crate) fn new(status: StatusCode, error: RpcError) -> Self {
        Self { status, error, challenge: None, closes: false }
    }

    /// Creates the refusal of a request that its sender may not send.
    pub(crate) fn forbidden(reason: String) -> Self {
        Self::new(StatusCode::FORBIDDEN, RpcError::invalid_request(reason))
    }

    /// Sets the header `WWW-Authenticate`.
    pub(super) fn challenge(mut self, challenge: Option<HeaderValue>) -> Self {
        self.challenge = challenge;
        self
    }

    /// Closes the connection after the response, because the rest of the body is not read.
    pub(super) fn close(mut self) -> Self {
        self.closes = true;
        self
    }

    pub(crate) fn into_response(self, render: impl FnOnce(&Self) -> Response) -> Response {
        let mut response = render(&self);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        if let Some(time) = self.error.retry_after() {
            headers.insert(RETRY_AFTER, seconds(time).into());
        }
        if let Some(challenge) = self.challenge {
            headers.insert(WWW_AUTHENTICATE, challenge);
        }
        if self.closes {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        name_scopes(&mut response, self.error.required_scopes());
        response
    }
}

impl From<RpcError> for RefusedRequest {
    /// Creates the refusal of a call.
    fn from(error: RpcError) -> Self {
        Self::new(StatusCode::from_u16(error.status()).unwrap_or_default(), error)
    }
}

/// The scopes that a refused call needs. The response's extensions hold this value until the challenge with these scopes
/// is added.
#[derive(Clone)]
pub(super) struct NeededScopes(pub(super) Vec<String>);

/// Adds the scopes that a refused call needs to the extensions of its response.
pub(super) fn name_scopes(response: &mut Response, needed: &[Cow<'static, str>]) {
    if !needed.is_empty() {
        let needed = needed.iter().map(|scope| scope.to_string()).collect();
        response.extensions_mut().insert(NeededScopes(needed));
    }
}

/// Returns a response without a body.
pub(super) fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// Returns the whole seconds of a time, at least one.
pub(super) fn seconds(time: Duration) -> u64 {
    time.as_millis().div_ceil(1000).max(1).try_into().unwrap_or(u64::MAX)
}

/// Writes a problem document of RFC 9457.
pub(super) fn problem(refused: &RefusedRequest) -> Response {
    let RefusedRequest { status, error, .. } = refused;
    let title = status.canonical_reason().unwrap_or("Error");
    let problem = json!({ "type": "about:blank", "title": title, "status": status.as_u16(), "detail": error.message });
    let mut response = Response::new(Body::from(problem.to_string()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    response
}
