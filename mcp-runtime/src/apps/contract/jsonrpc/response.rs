//! The response to a request, and to a batch of requests.

use std::{
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::Response,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{apps::contract::RefusedCall, serve::http::guard::status_of, wire::protocol::error::RpcError};

/// The `error` member of a response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorObject {
    /// The code. The specification reserves the codes from -32768 to -32000.
    pub code: i32,
    /// A short description, one sentence.
    pub message: String,
    /// Further information for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    /// Creates an error without data.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Sets the data.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }
}

/// The response to a request.
pub(super) struct RpcResponse {
    pub(super) text: String,
    /// The reason, if the call was refused.
    refusal: Option<RefusedCall>,
}

impl RpcResponse {
    /// Creates the response with this result. Both parameters are JSON text.
    pub(super) fn result(id: &str, result: &str) -> Self {
        Self { text: [r#"{"jsonrpc":"2.0","id":"#, id, r#","result":"#, result, "}"].concat(), refusal: None }
    }

    /// Creates the response with this error. The parameter `id` is JSON text.
    pub(super) fn error(id: &str, error: &ErrorObject) -> Self {
        // A code, a text and JSON data can always be written as JSON.
        let error = serde_json::to_string(error).unwrap_or_default();
        Self { text: format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#), refusal: None }
    }

    /// Creates the response to a call that was refused before its method ran.
    pub(super) fn refused(id: &str, refusal: RefusedCall) -> Self {
        let mut data = json!({ "status": refusal.status() });
        if let Some(time) = refusal.retry_after() {
            data["retryAfterMs"] = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).into();
        }
        if !refusal.required_scopes().is_empty() {
            data["requiredScopes"] = json!(refusal.required_scopes());
        }
        let error = ErrorObject::new(refusal.0.code, refusal.to_string()).with_data(data);
        Self { refusal: Some(refusal), ..Self::error(id, &error) }
    }

    /// Returns the HTTP response to a request that is alone in its body. The status and the headers of a refused
    /// request say so, too.
    pub(super) fn into_response(self) -> Response {
        let response = json_reply(StatusCode::OK, self.text);
        match self.refusal {
            None => response,
            Some(refusal) => refusal.into_refused().into_response(|_| response),
        }
    }
}

/// Returns the response to a request that the guard refuses.
pub(super) fn of_refused(error: &RpcError) -> Response {
    failed(status_of(error), &ErrorObject::new(error.code, &*error.message))
}

/// Returns the response to a body that is not a request.
pub(super) fn failed(status: StatusCode, error: &ErrorObject) -> Response {
    json_reply(status, RpcResponse::error("null", error).text)
}

pub(super) fn json_reply(status: StatusCode, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A call of a batch. Its output is the response, or `None` for a notification.
pub(super) type BatchCall<'a> = Pin<Box<dyn Future<Output = Option<RpcResponse>> + Send + 'a>>;

/// The most calls of a batch that run at the same time. More would let one request take the place of many.
const CONCURRENT: usize = 8;

/// Waits for all calls, and returns the responses in the order of the calls. At most [`CONCURRENT`] calls run at the same
/// time; the others follow in their order.
///
/// The calls are not spawned as tasks. So if the client disconnects, all calls are dropped.
pub(super) async fn run_all(calls: Vec<BatchCall<'_>>) -> Vec<RpcResponse> {
    let mut calls: Vec<BatchProgress<'_>> = calls.into_iter().map(BatchProgress::Running).collect();
    poll_fn(|cx| {
        let mut running = 0;
        for call in &mut calls {
            if running == CONCURRENT {
                break;
            }
            running += usize::from(call.poll(cx).is_pending());
        }
        if running == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    let responses = calls.into_iter().filter_map(|call| match call {
        BatchProgress::Done(response) => response,
        BatchProgress::Running(_) => None,
    });
    responses.collect()
}

enum BatchProgress<'a> {
    Running(BatchCall<'a>),
    Done(Option<RpcResponse>),
}

impl BatchProgress<'_> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Self::Running(call) = self {
            let response = std::task::ready!(call.as_mut().poll(cx));
            *self = Self::Done(response);
        }
        Poll::Ready(())
    }
}
