//! The errors of the interface: a status, and `{"error": {"code": …, "message": …}}`.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::json;

use crate::{
    edge::dev::session::error::SessionError,
    serve::http::{guard::status_of, json_body, view_frame::NotAView},
    wire::protocol::error::RpcError,
};

#[derive(Debug, thiserror::Error)]
pub(super) enum PageError {
    #[error("the token is missing or wrong; open the address that the command `dev` has printed")]
    NoToken,
    #[error("a page of another site has caused this request")]
    OtherSite,
    #[error("the content type must be `application/json`")]
    NotJson,
    #[error("{0}")]
    Unreadable(String),
    #[error("there is no such path")]
    NoSuchPath,
    #[error(transparent)]
    NotAView(#[from] NotAView),
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl PageError {
    fn status_and_code(&self) -> (StatusCode, &'static str) {
        match self {
            Self::NoToken => (StatusCode::UNAUTHORIZED, "no_token"),
            Self::OtherSite => (StatusCode::FORBIDDEN, "forbidden"),
            Self::NotJson => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json"),
            Self::Unreadable(_) => (StatusCode::BAD_REQUEST, "unreadable"),
            Self::NoSuchPath => (StatusCode::NOT_FOUND, "not_found"),
            Self::NotAView(_) => (StatusCode::NOT_FOUND, "not_a_view"),
            Self::Session(error) => match error {
                SessionError::NotFound(_) => (StatusCode::NOT_FOUND, "not_found"),
                SessionError::Conflict(_) => (StatusCode::CONFLICT, "conflict"),
                SessionError::Invalid(_) => (StatusCode::UNPROCESSABLE_ENTITY, "invalid"),
                SessionError::NotPossible(_) => (StatusCode::UNPROCESSABLE_ENTITY, "not_possible"),
                SessionError::Server(_) => (StatusCode::BAD_GATEWAY, "server_failed"),
                SessionError::TooMany(_) => (StatusCode::TOO_MANY_REQUESTS, "too_many"),
            },
        }
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let (status, code) = self.status_and_code();
        refusal(status, code, &self.to_string())
    }
}

/// Writes the body of the response to a request that the guard refuses.
pub(super) fn of_refused(error: &RpcError) -> Response {
    let status = status_of(error);
    match status {
        StatusCode::FORBIDDEN => refusal(status, "forbidden", "the page answers requests to its own address only"),
        StatusCode::PAYLOAD_TOO_LARGE => refusal(status, "too_large", &error.message),
        _ => refusal(status, "refused", &error.message),
    }
}

fn refusal(status: StatusCode, code: &str, message: &str) -> Response {
    json_body::reply(status, &json!({ "error": { "code": code, "message": message } }))
}
