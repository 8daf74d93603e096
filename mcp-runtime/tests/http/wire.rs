//! Sends requests to the endpoint and reads the responses.

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode},
};
use http_body_util::BodyExt;
use mcp_runtime::{Elicited, Result, Server, Service, prelude::*};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tower::ServiceExt;

#[elicits]
pub(crate) enum Trip {
    Seat { seat: String },
}

/// Adds two numbers.
#[mcp_tool(read_only)]
pub(crate) async fn add(a: i64, b: i64) -> Text<i64> {
    Text(a + b)
}

/// Says something and reports before it is done.
#[mcp_tool]
pub(crate) async fn speak(ctx: &Ctx) -> String {
    ctx.log(Level::Info, "hello");
    ctx.progress(0.5).message("half");
    tokio::time::sleep(Duration::from_millis(5)).await;
    "done".to_owned()
}

/// Asks for a seat.
#[mcp_tool(replayable)]
pub(crate) async fn book(ctx: &Ctx<Trip>) -> Result<String> {
    match ctx.elicit::<Seat>("Which seat?").await? {
        Elicited::Accept(Seat { seat }) => Ok(format!("booked {seat}")),
        Elicited::Decline | Elicited::Cancel => Ok("not booked".to_owned()),
    }
}

/// Notified when a waiting call is dropped.
pub(crate) static GONE: Notify = Notify::const_new();

struct Going;

impl Drop for Going {
    fn drop(&mut self) {
        GONE.notify_one();
    }
}

/// Waits for longer than anybody does.
#[mcp_tool]
pub(crate) async fn wait() {
    let _going = Going;
    tokio::time::sleep(Duration::from_secs(600)).await;
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) async fn of(response: axum::response::Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Self { status: parts.status, headers: parts.headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.headers["content-type"], "application/json");
        serde_json::from_str(&self.text).unwrap()
    }

    /// Returns the messages of a stream, in order.
    pub(crate) fn events(&self) -> Vec<Value> {
        assert_eq!(self.headers["content-type"], "text/event-stream");
        self.text.split("\n\n").filter_map(event).collect()
    }
}

/// Returns the message of an event.
pub(crate) fn event(event: &str) -> Option<Value> {
    let data = event.lines().find_map(|line| line.strip_prefix("data: "))?;
    Some(serde_json::from_str(data).unwrap())
}

pub(crate) fn service() -> Service {
    Server::new("trips", "1").tools(tools![add, speak, book, wait]).build().unwrap()
}

pub(crate) fn app() -> Router {
    Router::new().nest("/mcp", service().router())
}

pub(crate) fn request(method: &str, headers: &[(&str, &str)], body: &str) -> Request<Body> {
    let mut request = Request::builder().method(method).uri("/mcp").header("host", "localhost");
    if method == "POST" {
        request = request.header("content-type", "application/json");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::from(body.to_owned())).unwrap()
}

pub(crate) async fn send(app: &Router, request: Request<Body>) -> Reply {
    Reply::of(app.clone().oneshot(request).await.unwrap()).await
}

/// Posts a request of the newest revision.
pub(crate) async fn modern(app: &Router, method: &str, mut params: Value) -> Reply {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
        "io.modelcontextprotocol/logLevel": "info",
        "progressToken": 7,
    });
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method), ("mcp-name", &name)];
    let headers = if name.is_empty() { &headers[..2] } else { &headers };
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    send(app, request("POST", headers, &body.to_string())).await
}
