//! Reads JSON bodies.

use axum::{
    body::to_bytes,
    extract::{FromRequest, Request},
    http::header::CONTENT_TYPE,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};

use super::error::RouterError;
use crate::apps::plugin::timeline::event::AnswerAction;

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
    pub(super) action: AnswerAction,
    #[serde(default)]
    pub(super) content: Option<Map<String, Value>>,
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = RouterError;

    async fn from_request(request: Request, _: &S) -> Result<Self, RouterError> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
            return Err(RouterError::NotJson);
        }
        // The guard has read the body, and has refused one that is too large or incomplete.
        let bytes = to_bytes(request.into_body(), MOST_BYTES).await;
        let bytes = bytes.map_err(|error| RouterError::Unreadable(error.to_string()))?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| RouterError::Unreadable(error.to_string()))
    }
}
