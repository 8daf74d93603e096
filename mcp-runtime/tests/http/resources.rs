//! Resources over HTTP: the headers that repeat the URI, scopes, and the status of errors.

use axum::{Router, http::StatusCode};
use mcp_runtime::{Server, prelude::*};
use serde_json::{Value, json};

use crate::http::wire::{Reply, request, send};

/// A page.
#[mcp_resource("docs://pages/{name}")]
async fn page(ctx: &Ctx, name: String) -> String {
    if name == "logged" {
        ctx.log(Level::Info, "reading");
    }
    name
}

/// A secret.
#[mcp_resource("docs://secret", scopes("docs:read"))]
async fn secret() -> &'static str {
    "secret"
}

fn app() -> Router {
    let service = Server::new("docs", "1").resources(resources![page, secret]).build().unwrap();
    Router::new().nest("/mcp", service.router())
}

/// Reads `uri` with this `Mcp-Name`.
async fn read(uri: &str, name: Option<&str>) -> Reply {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
        "io.modelcontextprotocol/logLevel": "info",
    });
    let params = json!({ "uri": uri, "_meta": meta });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params }).to_string();
    let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", "resources/read")];
    headers.extend(name.map(|name| ("mcp-name", name)));
    send(&app(), request("POST", &headers, &body)).await
}

fn code(reply: &Reply) -> (StatusCode, Value) {
    (reply.status, reply.json()["error"]["code"].clone())
}

#[tokio::test]
async fn mcp_name_must_be_the_uri() {
    let uri = "docs://pages/start";
    let found = read(uri, Some(uri)).await;
    assert_eq!(found.json()["result"]["contents"][0]["text"], "start");
    let encoded = read(uri, Some("=?base64?ZG9jczovL3BhZ2VzL3N0YXJ0?=")).await;
    assert_eq!(encoded.json()["result"]["contents"][0]["text"], "start");
    for name in [None, Some("start"), Some("docs://pages/other"), Some("page")] {
        assert_eq!(code(&read(uri, name).await), (StatusCode::BAD_REQUEST, json!(-32020)), "{name:?}");
    }
}

#[tokio::test]
async fn an_unknown_resource_has_the_status_of_a_response() {
    let uri = "docs://none";
    let reply = read(uri, Some(uri)).await;
    assert_eq!(code(&reply), (StatusCode::OK, json!(-32602)));
    assert_eq!(reply.json()["error"]["data"], json!({ "uri": uri }));
}

#[tokio::test]
async fn a_caller_without_the_scope_is_rejected() {
    let uri = "docs://secret";
    let reply = read(uri, Some(uri)).await;
    assert_eq!(code(&reply), (StatusCode::FORBIDDEN, json!(-32600)));
    assert!(!reply.text.contains("\"text\""), "{}", reply.text);
}

#[tokio::test]
async fn a_read_with_notifications_is_answered_with_events() {
    let uri = "docs://pages/logged";
    let events = read(uri, Some(uri)).await.events();
    assert_eq!(events[0]["params"]["data"], "reading");
    assert_eq!(events[1]["result"]["contents"][0]["text"], "logged");
}
