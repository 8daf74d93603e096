//! Reads JSON bodies.

use axum::extract::{FromRequest, Request};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};

use super::error::RouterError;
use crate::{
    apps::plugin::timeline::event::AnswerAction,
    serve::http::json_body::{self, UnreadableBody},
};

/// A JSON body.
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
        json_body::read(request).await.map(Self).map_err(|error| match error {
            UnreadableBody::NotJson => RouterError::NotJson,
            UnreadableBody::Unreadable(reason) => RouterError::Unreadable(reason),
        })
    }
}
