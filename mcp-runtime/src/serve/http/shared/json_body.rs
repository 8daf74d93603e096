//! The JSON bodies of the routes of pages.

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    response::Response,
};
use http::{HeaderValue, StatusCode, header::CONTENT_TYPE};
use serde::{Serialize, de::DeserializeOwned};

/// The maximum number of bytes of a request body. The guard refuses a larger one.
pub(crate) const MOST_BYTES: usize = 1024 * 1024;

/// Why a body was not read.
pub(crate) enum UnreadableBody {
    NotJson,
    Unreadable(String),
}

/// Reads a body with the content type `application/json`. Pages of other origins cannot send this type without a
/// preflight.
pub(crate) async fn read<T: DeserializeOwned>(request: Request) -> Result<T, UnreadableBody> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        return Err(UnreadableBody::NotJson);
    }
    // The guard has read the body, and has refused one that is too large or incomplete.
    let bytes = to_bytes(request.into_body(), MOST_BYTES).await;
    let bytes = bytes.map_err(|error| UnreadableBody::Unreadable(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| UnreadableBody::Unreadable(error.to_string()))
}

/// Returns a response with a JSON body.
pub(crate) fn reply(status: StatusCode, body: &impl Serialize) -> Response {
    // The bodies are values and structs that can always be written as JSON.
    let mut response = Response::new(Body::from(serde_json::to_vec(body).unwrap_or_default()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
