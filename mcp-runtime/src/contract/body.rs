//! Reads the JSON body of a request to a door, within its limit.

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
};
use bytes::Bytes;

/// The default limit for the size of a body, in bytes: 1 MiB.
pub(super) const MAX_BODY_SIZE: usize = 1024 * 1024;

/// The reason why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadBody {
    /// The content type is not JSON.
    WrongType,
    /// The body has more than this many bytes.
    TooLarge(usize),
    /// The body is incomplete.
    Broken,
    /// The body is not UTF-8.
    NotText,
}

impl BadBody {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::WrongType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Broken | Self::NotText => StatusCode::BAD_REQUEST,
        }
    }

    pub(super) fn message(self) -> String {
        match self {
            Self::WrongType => "the body must be JSON; send `Content-Type: application/json`".to_owned(),
            Self::TooLarge(limit) => format!("the body must have at most {limit} bytes"),
            Self::Broken => "the body of the request is incomplete".to_owned(),
            Self::NotText => "the body is not UTF-8".to_owned(),
        }
    }
}

/// Reads a body of at most `limit` bytes. The content type must be JSON, for safety: without a preflight request, a web
/// page of another origin can send certain other content types, but not JSON.
pub(super) async fn read(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, BadBody> {
    if !is_json(headers) {
        return Err(BadBody::WrongType);
    }
    let bytes = to_bytes(body, limit).await.map_err(|error| {
        let is_limit =
            std::error::Error::source(&error).is_some_and(|source| source.is::<http_body_util::LengthLimitError>());
        if is_limit { BadBody::TooLarge(limit) } else { BadBody::Broken }
    })?;
    if std::str::from_utf8(&bytes).is_err() { Err(BadBody::NotText) } else { Ok(bytes) }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    let essence = value.split(';').next().unwrap_or_default().trim();
    let subtype = essence.get(..12).filter(|start| start.eq_ignore_ascii_case("application/")).map(|_| &essence[12..]);
    subtype
        .is_some_and(|subtype| subtype.eq_ignore_ascii_case("json") || subtype.to_ascii_lowercase().ends_with("+json"))
}
