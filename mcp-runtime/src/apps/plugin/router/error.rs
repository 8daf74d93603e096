//! The errors of the routes: a status, and `{"error": {"code": …, "message": …}}`.

use axum::{
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{
    apps::plugin::calls::error::PluginError,
    base::{error::chain, report::report_limited},
    serve::http::{guard::status_of, json_body, view_frame::NotAView},
    wire::protocol::error::RpcError,
};

#[derive(Debug, thiserror::Error)]
pub(super) enum RouterError {
    /// The application has not said who the user is.
    #[error("the request names no user")]
    NoUser,
    #[error("the content type must be `application/json`")]
    NotJson,
    #[error("the body cannot be read: {0}")]
    Unreadable(String),
    #[error("there is no resource `{0}`")]
    UnknownResource(String),
    #[error(transparent)]
    NotAView(#[from] NotAView),
    #[error("the resource `{0}` asks the user, and a page cannot answer a resource")]
    ResourceAsks(String),
    #[error("the resource cannot be read")]
    ResourceFailed,
    /// The server refuses to read a resource, with this HTTP status.
    #[error("{0}")]
    Refused(String, Option<u16>),
    #[error(transparent)]
    Plugin(#[from] PluginError),
}

impl RouterError {
    fn status_and_code(&self) -> (StatusCode, &'static str) {
        match self {
            Self::NoUser => (StatusCode::UNAUTHORIZED, "no_user"),
            Self::NotJson => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json"),
            Self::Unreadable(_) => (StatusCode::BAD_REQUEST, "unreadable"),
            Self::UnknownResource(_) => (StatusCode::NOT_FOUND, "unknown_resource"),
            Self::NotAView(_) => (StatusCode::NOT_FOUND, "not_a_view"),
            Self::ResourceAsks(_) => (StatusCode::UNPROCESSABLE_ENTITY, "resource_asks"),
            Self::ResourceFailed => (StatusCode::INTERNAL_SERVER_ERROR, "resource_failed"),
            Self::Refused(_, status) => {
                let status =
                    status.and_then(|status| StatusCode::from_u16(status).ok()).filter(|status| !status.is_success());
                (status.unwrap_or(StatusCode::BAD_REQUEST), "refused")
            }
            Self::Plugin(error) => match error {
                PluginError::UnknownTool { .. } => (StatusCode::NOT_FOUND, "unknown_tool"),
                PluginError::UnknownCall => (StatusCode::NOT_FOUND, "unknown_call"),
                PluginError::TooManyCalls(_) | PluginError::TooManyBytes(_) => {
                    (StatusCode::TOO_MANY_REQUESTS, "too_many_calls")
                }
                PluginError::TooManyFollowers(_) => (StatusCode::TOO_MANY_REQUESTS, "too_many_followers"),
                PluginError::TooLong { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
                PluginError::Full | PluginError::FollowersFull => (StatusCode::SERVICE_UNAVAILABLE, "full"),
                PluginError::AlreadyAnswered => (StatusCode::CONFLICT, "already_answered"),
                PluginError::InvalidAnswer(_) => (StatusCode::UNPROCESSABLE_ENTITY, "invalid_answer"),
                PluginError::InvalidArguments => (StatusCode::BAD_REQUEST, "invalid_arguments"),
                PluginError::Ledger(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            },
        }
    }
}

/// Writes the body of the response to a request that the guard refuses.
pub(super) fn of_refused(error: &RpcError) -> Response {
    let status = status_of(error);
    let code = match status {
        StatusCode::REQUEST_TIMEOUT => "too_slow",
        StatusCode::PAYLOAD_TOO_LARGE => "too_large",
        StatusCode::TOO_MANY_REQUESTS => "too_many_requests",
        StatusCode::SERVICE_UNAVAILABLE => "full",
        StatusCode::UNAUTHORIZED => "no_user",
        StatusCode::FORBIDDEN => "forbidden",
        _ => "unreadable",
    };
    json_body::reply(status, &json!({ "error": { "code": code, "message": error.message } }))
}

impl IntoResponse for RouterError {
    fn into_response(self) -> Response {
        let (status, code) = self.status_and_code();
        match &self {
            Self::NoUser => report_limited!(
                "a request to the plugin router has no user: insert a `Principal` into its extensions in a middleware"
            ),
            Self::Plugin(error @ PluginError::Ledger(_)) => report_limited!("{}", chain(error)),
            _ => {}
        }
        let mut error = json!({ "code": code, "message": self.to_string() });
        if let Self::Plugin(PluginError::InvalidAnswer(problems)) = &self {
            error["problems"] = json!(problems);
        }
        let mut response = json_body::reply(status, &json!({ "error": error }));
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
