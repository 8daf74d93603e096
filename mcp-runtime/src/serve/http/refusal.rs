//! A request that the guard refuses, and its response.

use std::{borrow::Cow, time::Duration};

use axum::{body::Body, response::Response};
use http::{
    HeaderValue, StatusCode,
    header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
};
use serde::Serialize;

use crate::wire::protocol::{error::RpcError, frame::push_json};

/// A request that was refused. Nothing of it has run.
#[derive(Debug)]
pub(crate) struct RefusedRequest {
    error: RpcError,
    challenge: Option<HeaderValue>,
    closes: bool,
}

/// Writes the body of the response to a refused request, in the form of an endpoint.
pub(crate) type Render = fn(&RpcError) -> Response;

impl RefusedRequest {
    pub(crate) fn of(status: StatusCode, reason: impl Into<String>) -> Self {
        RpcError::invalid_request(reason).with_status(status.as_u16()).into()
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

    pub(crate) fn into_response(self, render: impl FnOnce(&RpcError) -> Response) -> Response {
        let mut response = render(&self.error);
        *response.status_mut() = status_of(&self.error);
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
    fn from(error: RpcError) -> Self {
        Self { error, challenge: None, closes: false }
    }
}

pub(crate) fn status_of(error: &RpcError) -> StatusCode {
    StatusCode::from_u16(error.status()).unwrap_or_default()
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

/// Returns the whole seconds of a time, at least one.
pub(super) fn seconds(time: Duration) -> u64 {
    time.as_millis().div_ceil(1000).max(1).try_into().unwrap_or(u64::MAX)
}

/// Writes a problem document of RFC 9457.
pub(super) fn problem(error: &RpcError) -> Response {
    #[derive(Serialize)]
    struct Problem<'a> {
        r#type: &'a str,
        title: &'a str,
        status: u16,
        detail: &'a str,
    }
    let status = status_of(error);
    let title = status.canonical_reason().unwrap_or("Error");
    let problem = Problem { r#type: "about:blank", title, status: status.as_u16(), detail: &error.message };
    let mut body = Vec::new();
    push_json(&mut body, &problem);
    let mut response = Response::new(Body::from(body));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    response
}
