//! Problem documents (RFC 9457).

use std::{borrow::Cow, fmt};

use axum::{
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::{Map, Value};

/// An error response: a problem document of [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457).
///
/// ```json
/// { "type": "about:blank", "title": "Not Found", "status": 404, "detail": "there is no todo 3" }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProblemDetails {
    r#type: Cow<'static, str>,
    title: Cow<'static, str>,
    status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(flatten)]
    extensions: Map<String, Value>,
}

impl ProblemDetails {
    /// Creates a problem with this status. The title is the status's name.
    ///
    /// A status outside of 400 to 599 becomes 500, because a problem is an error.
    pub fn new(status: u16) -> Self {
        let status = StatusCode::from_u16(status).ok();
        let is_error = |status: &StatusCode| status.is_client_error() || status.is_server_error();
        Self::of(status.filter(is_error).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR))
    }

    pub(super) fn of(status: StatusCode) -> Self {
        Self {
            r#type: "about:blank".into(),
            title: status.canonical_reason().unwrap_or("Error").into(),
            status: status.as_u16(),
            detail: None,
            extensions: Map::new(),
        }
    }

    /// Sets the URI that identifies the type of the problem. Default: `about:blank`, which means that only the status
    /// describes the problem.
    #[must_use]
    pub fn type_uri(mut self, uri: impl Into<String>) -> Self {
        self.r#type = Cow::Owned(uri.into());
        self
    }

    /// Sets the title, which is the same for all problems of a type.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Cow::Owned(title.into());
        self
    }

    /// Sets the explanation of this problem. Default: none.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Sets a further member of the document. A member named `type`, `title`, `status` or `detail` is ignored, because
    /// these members have their own methods.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        let name = name.into();
        if !["type", "title", "status", "detail"].contains(&&*name) {
            self.extensions.insert(name, value.into());
        }
        self
    }

    /// Returns the status.
    pub fn status(&self) -> u16 {
        self.status
    }
}

impl IntoResponse for ProblemDetails {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_string(&self).unwrap_or_default();
        (status, [(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))], body).into_response()
    }
}

impl fmt::Display for ProblemDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.title)?;
        self.detail.iter().try_for_each(|detail| write!(f, ": {detail}"))
    }
}

impl std::error::Error for ProblemDetails {}
