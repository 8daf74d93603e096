//! Answers CORS preflight requests (Fetch, "CORS protocol"). Only pages that [`AllowedHosts`](super::AllowedHosts)
//! allows get CORS headers.

use axum::response::{IntoResponse as _, Response};
use http::{
    HeaderMap, HeaderValue, Method, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
        ACCESS_CONTROL_REQUEST_METHOD, VARY,
    },
};

/// Whether a request with an `Origin` is a CORS preflight.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Answers a preflight. Allows the method that the page wants to send. Also allows all headers, because a tool can choose the
/// names of the headers in which clients repeat its arguments.
pub(crate) fn preflight(headers: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let allowed = response.headers_mut();
    if let Some(asked) = headers.get(ACCESS_CONTROL_REQUEST_METHOD) {
        allowed.insert(ACCESS_CONTROL_ALLOW_METHODS, asked.clone());
    }
    if let Some(asked) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        allowed.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    // The longest time that browsers cache the answer.
    allowed.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    response
}

/// Lets pages of this origin read a response.
pub(crate) fn allow(response: &mut Response, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(
        ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("mcp-session-id, www-authenticate, retry-after"),
    );
    headers.append(VARY, HeaderValue::from_static("origin"));
}
