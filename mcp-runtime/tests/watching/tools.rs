//! A server whose calls end in every possible way, and the clients of the server.

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode},
};
use http_body_util::BodyExt;
use mcp_runtime::{Elicited, MemoryClient, Result, Server, Service, prelude::*};
use serde_json::{Value, json};
use tower::ServiceExt;

#[elicits]
pub(crate) enum Trip {
    Seat { seat: String },
}

/// Gives back what it is given.
#[mcp_tool(read_only)]
async fn echo(text: String) -> String {
    text
}

/// Takes what its clients repeat in a header.
#[mcp_tool(read_only)]
async fn region(#[schemars(extend("x-mcp-header" = "Region"))] region: String) -> String {
    region
}

/// Fails with what it is given.
#[mcp_tool]
async fn fail(text: String) -> Result<String> {
    Err(format!("cannot do it with {text}").into())
}

/// Panics always.
#[mcp_tool]
async fn panics() -> String {
    // Without the message that a panic writes.
    std::panic::resume_unwind(Box::new("by intent"))
}

/// Does not end in time.
#[mcp_tool(timeout = "30ms")]
async fn is_slow() -> String {
    std::future::pending().await
}

/// Does not end.
#[mcp_tool]
async fn waits() -> String {
    std::future::pending().await
}

/// Ends when it has waited a little.
#[mcp_tool]
async fn sleeps() -> String {
    tokio::time::sleep(Duration::from_millis(20)).await;
    "slept".to_owned()
}

/// Asks for a seat.
#[mcp_tool(replayable)]
async fn book(ctx: &Ctx<Trip>, text: String) -> Result<String> {
    match ctx.elicit::<Seat>(format!("Which seat? {text}")).timeout(Duration::from_millis(100)).await? {
        Elicited::Accept(Seat { seat }) => Ok(format!("booked {seat}")),
        Elicited::Decline | Elicited::Cancel => Ok("not booked".to_owned()),
    }
}

/// Asks for a seat, and is not run again.
#[mcp_tool]
async fn hold(ctx: &Ctx<Trip>) -> Result<String> {
    tracing::info!("before the question");
    let seat = ctx.elicit::<Seat>("Which seat?").strict().await?.seat;
    tracing::info!("after the question");
    Ok(format!("held {seat}"))
}

/// Tells what it would send on.
#[mcp_tool(read_only)]
async fn traced(ctx: &Ctx) -> String {
    ctx.trace_context().map_or_else(String::new, |trace| {
        format!("{} {:?} {:?}", trace.traceparent(), trace.tracestate(), trace.baggage())
    })
}

pub(crate) fn service() -> Service {
    let tools = tools![echo, region, fail, panics, is_slow, waits, sleeps, book, hold, traced];
    Server::new("watched", "1.0.0").tools(tools).build().unwrap()
}

/// Returns a request of the newest revision.
pub(crate) fn modern(id: u64, method: &str, mut params: Value) -> Value {
    let meta = params.as_object_mut().unwrap().entry("_meta").or_insert_with(|| json!({}));
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({ "elicitation": {} });
    meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "c", "version": "1" });
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

pub(crate) fn call(name: &str, arguments: Value) -> Value {
    let mut request = modern(1, "tools/call", json!({ "name": name }));
    request["params"]["arguments"] = arguments;
    request
}

/// Returns a request that resumes a call with the answer about the seat.
pub(crate) fn answer(name: &str, arguments: Value, asked: &Value, seat: &Value) -> Value {
    let key = asked["result"]["inputRequests"].as_object().unwrap().keys().next().unwrap();
    let mut request = call(name, arguments);
    request["id"] = json!(2);
    request["params"]["requestState"] = asked["result"]["requestState"].clone();
    request["params"]["inputResponses"] = json!({ key: seat });
    request
}

pub(crate) fn accept(seat: &str) -> Value {
    json!({ "action": "accept", "content": { "seat": seat } })
}

/// Sends a message, and returns the next message of the server.
pub(crate) async fn ask(client: &mut MemoryClient, message: &Value) -> Value {
    client.send(&message.to_string()).await;
    serde_json::from_str(&client.receive().await.unwrap()).unwrap()
}

/// Opens a session.
pub(crate) async fn legacy(service: &Service, revision: &str) -> MemoryClient {
    let mut client = service.memory();
    ask(&mut client, &hello(revision)).await;
    client
}

pub(crate) fn hello(revision: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": revision,
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "c", "version": "1" },
    }})
}

/// Posts a message with these headers, and reads the whole response.
pub(crate) async fn post(app: &Router, headers: &[(&str, &str)], message: &Value) -> (StatusCode, HeaderMap, String) {
    let mut request = Request::post("/").header("host", "localhost").header("content-type", "application/json");
    request = request.header("accept", "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = app.clone().oneshot(request.body(Body::from(message.to_string())).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    (parts.status, parts.headers, String::from_utf8(body.to_vec()).unwrap())
}

/// Posts a call of the newest revision with its required headers, and reads the whole response.
pub(crate) async fn post_call(app: &Router, more: &[(&str, &str)], message: &Value) -> String {
    let name = message["params"]["name"].as_str().unwrap();
    let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", name)];
    headers.extend_from_slice(more);
    post(app, &headers, message).await.2
}
