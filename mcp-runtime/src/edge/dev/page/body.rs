//! Reads JSON bodies.

use axum::{
    body::to_bytes,
    extract::{FromRequest, Request},
};
use http::header::CONTENT_TYPE;
use serde::{Deserialize, de::DeserializeOwned};

use super::error::PageError;
use crate::edge::dev::{
    session::api::{call::AnyAnswer, fault::DevFault},
    target::ClientSetup,
};

/// The maximum number of bytes of a request body.
pub(super) const MOST_BYTES: usize = 1024 * 1024;

/// A body with the content type `application/json`. Pages of other origins cannot send this type without a preflight.
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
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
            return Err(PageError::NotJson);
        }
        let unreadable =
            |error: &dyn std::fmt::Display| PageError::Unreadable(format!("the body cannot be read: {error}"));
        let bytes = to_bytes(request.into_body(), MOST_BYTES).await.map_err(|error| unreadable(&error))?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| unreadable(&error))
    }
}
