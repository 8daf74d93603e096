//! Reads responses.

use http::{Response, StatusCode, header::CONTENT_TYPE};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Incoming;
use serde_json::Value;

use crate::{base::error::chain, serve::remote::transport::TransferError, wire::protocol::text::cut};

/// How much of the body of a refusal is shown, in characters.
const SHOWN: usize = 2000;

/// Reads a response that is not a stream. An error without an id belongs to the request `id`.
pub(super) fn answer(status: StatusCode, text: String, id: u64) -> Result<String, TransferError> {
    let mut message: Value = serde_json::from_str(&text).unwrap_or_default();
    if message.get("result").is_none() && message.get("error").is_none() {
        return Err(refused(status, &text));
    }
    if message.get("id").is_none_or(Value::is_null) {
        message["id"] = id.into();
        return Ok(message.to_string());
    }
    if message["id"] != id {
        let why = format!("the server has answered the request {} in place of {id}", message["id"]);
        return Err(TransferError::Broken(why));
    }
    Ok(text)
}

/// Returns the error of a request that the server has refused with this status and this body.
pub(super) fn refused(status: StatusCode, text: &str) -> TransferError {
    let text = cut(text.trim(), SHOWN);
    let text = if text.is_empty() { String::new() } else { format!(": {text}") };
    TransferError::Refused { status: status.as_u16(), answer: format!("{status}{text}") }
}

pub(super) fn is_stream(response: &Response<Incoming>) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    response.status().is_success() && kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

/// Reads the body of a response of at most this many bytes.
pub(crate) async fn text_of(response: Response<Incoming>, limit: usize) -> Result<String, TransferError> {
    let all = Limited::new(response.into_body(), limit).collect().await;
    let all = all.map_err(|error| match error.is::<LengthLimitError>() {
        true => TransferError::TooLong { limit },
        false => TransferError::Broken(format!("the response broke off: {}", chain(&*error))),
    })?;
    Ok(String::from_utf8_lossy(&all.to_bytes()).into_owned())
}
