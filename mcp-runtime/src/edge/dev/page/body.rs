//! Reads JSON bodies.

use axum::extract::{FromRequest, Request};
use serde::{Deserialize, de::DeserializeOwned};

use super::error::PageError;
use crate::{
    edge::dev::{
        session::api::{call::AnyAnswer, fault::DevFault},
        target::ClientSetup,
    },
    serve::http::json_body::{self, UnreadableBody},
};

/// A JSON body.
pub(super) struct DevJson<T>(pub(super) T);

#[derive(Deserialize)]
pub(super) struct SetupBody {
    pub(super) setup: ClientSetup,
}

#[derive(Deserialize)]
pub(super) struct DevResourceBody {
    pub(super) uri: String,
    pub(super) setup: ClientSetup,
}

#[derive(Deserialize)]
pub(super) struct DevAnswerBody {
    pub(super) seq: u32,
    #[serde(flatten)]
    pub(super) answer: AnyAnswer,
}

#[derive(Deserialize)]
pub(super) struct FaultBody {
    pub(super) fault: DevFault,
}

#[derive(Deserialize)]
pub(super) struct ClockBody {
    pub(super) seconds: u64,
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for DevJson<T> {
    type Rejection = PageError;

    async fn from_request(request: Request, _: &S) -> Result<Self, PageError> {
        json_body::read(request).await.map(Self).map_err(|error| match error {
            UnreadableBody::NotJson => PageError::NotJson,
            UnreadableBody::Unreadable(reason) => PageError::Unreadable(format!("the body cannot be read: {reason}")),
        })
    }
}
