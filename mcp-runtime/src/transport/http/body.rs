//! The body of a request: all of it, within the limits.

use std::{future::poll_fn, pin::pin};

use axum::{
    body::Body,
    http::{StatusCode, header::CONNECTION},
    response::Response,
};
use bytes::{Bytes, BytesMut};
use http_body::Body as _;
use tokio::{sync::Semaphore, time::timeout};

use super::reply;
use crate::{
    server::Limits,
    wire::{error::RpcError, frame::Frame},
};

/// Of bodies larger than this only some are received at once: together they would be more than there is memory.
const LARGE: usize = 64 * 1024;

/// Why there is no body.
enum Unread {
    TooLarge,
    Broken,
}

/// Reads a body.
///
/// # Errors
/// The answer to a body that is too large, too slow or broken.
pub(super) async fn read(body: Body, limits: &Limits, large: &Semaphore) -> Result<Bytes, Response> {
    let (time, most) = (limits.http.request_timeout, limits.body_size);
    let (status, error) = match timeout(time, collect(body, most, large)).await {
        Ok(Ok(bytes)) => return Ok(bytes),
        Ok(Err(Unread::TooLarge)) => {
            (StatusCode::PAYLOAD_TOO_LARGE, RpcError::invalid_request(format!("a message has at most {most} bytes")))
        }
        Ok(Err(Unread::Broken)) => (StatusCode::BAD_REQUEST, RpcError::parse("the body of the request breaks off")),
        Err(_) => (
            StatusCode::REQUEST_TIMEOUT,
            RpcError::invalid_request(format!("the body of the request did not arrive within {time:?}")),
        ),
    };
    let mut response = reply::json(&Frame::error(None, &error), Some(status));
    // What is left of the body is not waited for.
    response.headers_mut().insert(CONNECTION, "close".parse().expect("it is a header's value"));
    Err(response)
}

async fn collect(body: Body, most: usize, large: &Semaphore) -> Result<Bytes, Unread> {
    // What is said to be too large need not be sent.
    if usize::try_from(body.size_hint().lower()).map_or(true, |least| most < least) {
        return Err(Unread::TooLarge);
    }
    let mut body = pin!(body);
    // Most come in one piece, which is taken as it is.
    let mut one = Bytes::new();
    let mut many = BytesMut::new();
    let mut place = None;
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let Ok(data) = frame.map_err(|_| Unread::Broken)?.into_data() else { continue };
        if most < one.len() + many.len() + data.len() {
            return Err(Unread::TooLarge);
        }
        if one.is_empty() && many.is_empty() {
            one = data;
        } else {
            if LARGE < one.len() + many.len() + data.len() && place.is_none() {
                // What comes meanwhile is left with its client.
                place = large.acquire().await.ok();
            }
            many.extend_from_slice(&std::mem::take(&mut one));
            many.extend_from_slice(&data);
        }
        if body.is_end_stream() {
            break;
        }
    }
    Ok(if one.is_empty() { many.freeze() } else { one })
}
