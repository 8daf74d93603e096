//! Reads responses.

use http::{Response, StatusCode, header::CONTENT_TYPE};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use serde_json::Value;

/// Reads a response that is not a stream. An error without an id belongs to the request `id`.
pub(super) fn answer(status: &StatusCode, text: String, id: u64) -> Result<String, String> {
    let mut message: Value = serde_json::from_str(&text).unwrap_or_default();
    if message.get("result").is_none() && message.get("error").is_none() {
        return Err(refused(status, &text));
    }
    if message.get("id").is_none_or(Value::is_null) {
        message["id"] = id.into();
        return Ok(message.to_string());
    }
    Ok(text)
}

pub(super) fn refused(status: &StatusCode, text: &str) -> String {
    let text = text.trim();
    let text = if text.is_empty() { String::new() } else { format!(": {text}") };
    format!("the server has answered with HTTP {status}{text}")
}

pub(super) fn is_stream(response: &Response<Incoming>) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    response.status().is_success() && kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

pub(super) async fn text_of(response: Response<Incoming>) -> Result<String, String> {
    let all = response.into_body().collect().await.map_err(|error| format!("the response broke off: {error}"))?;
    Ok(String::from_utf8_lossy(&all.to_bytes()).into_owned())
}
