//! Reads the body of a request within the limits.

use std::{future::poll_fn, pin::pin};

use axum::{body::Body, http::StatusCode};
use bytes::{Bytes, BytesMut};
use http_body::Body as _;
use tokio::time::timeout;

use crate::{
    serve::http::{
        limits::{
            large_bodies::{BodyPermit, LargeBodies, NoBody},
            owner::Owner,
        },
        refusal::RefusedRequest,
        shared::settings::HttpPart,
    },
    wire::protocol::error::RpcError,
};

/// A body of more than this many bytes needs a permit of [`LargeBodies`].
const LARGE: usize = 64 * 1024;

/// Reads a body of at most `most` bytes. The function `owner` returns the client whose quota a large body counts
/// against.
pub(super) async fn read(
    body: Body,
    most: usize,
    http: &HttpPart,
    owner: impl Fn() -> Option<Owner>,
) -> Result<Bytes, RefusedRequest> {
    let (time, large) = (http.limits.request_timeout, &http.large_bodies);
    let (status, error) = match timeout(time, collect(body, most, large, owner)).await {
        Ok(Ok(bytes)) => return Ok(bytes),
        Ok(Err(NoBody::TooLarge)) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            RpcError::invalid_request(format!("the body must have at most {most} bytes")),
        ),
        Ok(Err(NoBody::Broken)) => (StatusCode::BAD_REQUEST, RpcError::parse("the body of the request is incomplete")),
        Ok(Err(NoBody::TooMany)) => (
            StatusCode::TOO_MANY_REQUESTS,
            RpcError::too_many(&format!(
                "you can send at most {} messages of more than {LARGE} bytes at once",
                large.of_client()
            )),
        ),
        Ok(Err(NoBody::TooSlow)) => (
            StatusCode::REQUEST_TIMEOUT,
            RpcError::invalid_request(format!(
                "the body of the request arrived too slowly while other requests waited; send at least {} bytes/s",
                large.min_rate()
            )),
        ),
        Err(_) => (
            StatusCode::REQUEST_TIMEOUT,
            RpcError::invalid_request(format!("the body of the request did not arrive within {time:?}")),
        ),
    };
    Err(RefusedRequest::new(status, error).close())
}

async fn collect(
    body: Body,
    most: usize,
    large: &LargeBodies,
    owner: impl Fn() -> Option<Owner>,
) -> Result<Bytes, NoBody> {
    // If the declared size is too large, rejects the body before it arrives.
    if usize::try_from(body.size_hint().lower()).map_or(true, |least| most < least) {
        return Err(NoBody::TooLarge);
    }
    let mut body = pin!(body);
    // Most bodies arrive in one piece, which is not copied.
    let mut one = Bytes::new();
    let mut many = BytesMut::new();
    let mut place: Option<BodyPermit<'_>> = None;
    loop {
        let next = poll_fn(|cx| body.as_mut().poll_frame(cx));
        let next = match &mut place {
            None => next.await,
            Some(place) => place.unless_too_slow(next).await?,
        };
        let Some(frame) = next else { break };
        let Ok(data) = frame.map_err(|_| NoBody::Broken)?.into_data() else { continue };
        if most < one.len() + many.len() + data.len() {
            return Err(NoBody::TooLarge);
        }
        if one.is_empty() && many.is_empty() {
            one = data;
        } else {
            if LARGE < one.len() + many.len() + data.len() && place.is_none() {
                place = Some(large.enter(owner().as_ref()).await?);
            }
            place.iter_mut().for_each(|place| place.received(data.len()));
            many.extend_from_slice(&std::mem::take(&mut one));
            many.extend_from_slice(&data);
        }
        if body.is_end_stream() {
            break;
        }
    }
    Ok(if one.is_empty() { many.freeze() } else { one })
}
