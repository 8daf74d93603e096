//! What the endpoint over HTTP answers.

use http::{Method, StatusCode};
use metrics::counter;

use super::names::HTTP_RESPONSES;

/// A request was answered.
pub(crate) fn responded(method: &Method, status: StatusCode) {
    let methods = ["GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT"];
    let method = methods.into_iter().find(|known| method == known).unwrap_or("other");
    // Of all there are the server gives a dozen.
    let status = status.as_u16().to_string();
    let labels = [("http.request.method", method.to_owned()), ("http.response.status_code", status)];
    counter!(HTTP_RESPONSES, &labels).increment(1);
}
