//! The endpoint for JSON-RPC.

mod bodies;
mod calls;
mod document;
mod requests;

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request},
};
use http_body_util::BodyExt as _;
use mcp_runtime::contract::jsonrpc;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::contract::notes::contract;

struct Reply {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Checks that this is an error of a message without an id, and returns its text.
    fn error(&self, status: u16, code: i64) -> String {
        let reply = self.json();
        assert_eq!(
            (self.status, &reply["error"]["code"], &reply["id"]),
            (status, &json!(code), &Value::Null),
            "{reply}"
        );
        assert_eq!(self.headers["content-type"], "application/json");
        reply["error"]["message"].as_str().unwrap().to_owned()
    }
}

fn app() -> Router {
    app_with(jsonrpc::Options::new())
}

fn app_with(options: jsonrpc::Options) -> Router {
    jsonrpc::mount(Router::new(), "/rpc", contract(), options).unwrap()
}

/// Posts this text.
async fn post(app: &Router, text: impl Into<Body>) -> Reply {
    reply(app, Request::post("/rpc").header("content-type", "application/json").body(text.into()).unwrap()).await
}

async fn reply(app: &Router, mut request: Request<Body>) -> Reply {
    request.headers_mut().entry("host").or_insert_with(|| "localhost".parse().unwrap());
    let (parts, body) = app.clone().oneshot(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    Reply { status: parts.status.as_u16(), headers: parts.headers, body: String::from_utf8(body.to_vec()).unwrap() }
}

/// Calls a method and returns its result, or its error.
async fn call(app: &Router, method: &str, params: Value) -> Result<Value, Value> {
    let request = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
    let reply = post(app, request.to_string()).await;
    let mut message = reply.json();
    assert_eq!((reply.status, &message["jsonrpc"], &message["id"]), (200, &json!("2.0"), &json!("a")), "{message}");
    match message.get_mut("error") {
        Some(error) => Err(error.take()),
        None => Ok(message["result"].take()),
    }
}
