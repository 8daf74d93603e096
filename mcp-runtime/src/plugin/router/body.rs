//! Reads and writes JSON bodies.

use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, Request},
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::Response,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};

use super::error::RouterError;
use crate::{elicit::Elicited, plugin::AnswerAction};

/// The maximum number of bytes of a request body.
pub(super) const MOST_BYTES: usize = 1024 * 1024;

/// A body with the content type `application/json`. Pages of other origins cannot send this type without a preflight.
pub(super) struct JsonBody<T>(pub(super) T);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CallBody {
    pub(super) tool: String,
    pub(super) arguments: Box<RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerBody {
    pub(super) seq: u32,
    action: AnswerAction,
    #[serde(default)]
    content: Option<Map<String, Value>>,
}

impl AnswerBody {
    pub(super) fn into_elicited(self) -> Elicited<Map<String, Value>> {
        match self.action {
            AnswerAction::Accept => Elicited::Accept(self.content.unwrap_or_default()),
            AnswerAction::Decline => Elicited::Decline,
            AnswerAction::Cancel => Elicited::Cancel,
        }
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = RouterError;

    async fn from_request(request: Request, _: &S) -> Result<Self, RouterError> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
            return Err(RouterError::NotJson);
        }
        let bytes = read(request.into_body()).await?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| RouterError::Unreadable(error.to_string()))
    }
}

async fn read(body: Body) -> Result<Bytes, RouterError> {
    // The guard has read the body.
    axum::body::to_bytes(body, MOST_BYTES).await.map_err(|_| RouterError::TooLarge(MOST_BYTES))
}

/// Returns a response with a JSON body.
pub(super) fn json_reply(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
