//! Layers around calls over HTTP.

use std::time::Duration;

use axum::{Router, http::StatusCode};
use mcp_runtime::{
    Result, Server,
    layer::{self, CallInfo, Rejection},
    prelude::*,
};
use serde_json::json;

use crate::http::wire::{Reply, modern, request, send};

/// Rejects the call in the way that the tool's name says.
async fn reject(call: CallInfo) -> Result<()> {
    let wait = Duration::from_millis(2_500);
    Err(match call.tool() {
        "busy" => Rejection::too_many_requests("5 calls per minute", wait).into(),
        "closed" => Rejection::unavailable("under maintenance", Duration::from_millis(1)).into(),
        "secret" => Rejection::forbidden("not for you").into(),
        _ => "call `closed` instead".into(),
    })
}

#[mcp_tool(description = "Is called too often.")]
async fn busy() {}

#[mcp_tool(description = "Is closed to everybody.")]
async fn closed() {}

#[mcp_tool(description = "Is for others.")]
async fn secret() {}

#[mcp_tool(description = "Is advised against.")]
async fn plain() {}

fn app() -> Router {
    let server = Server::new("s", "1").layer(layer::admit_fn(reject)).tools(tools![busy, closed, secret, plain]);
    Router::new().nest("/mcp", server.build().unwrap().router())
}

async fn in_session(app: &Router, tool: &str) -> Reply {
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let accept = ("accept", "application/json, text/event-stream");
    let opened = send(app, request("POST", &[accept], &initialize.to_string())).await;
    let session = opened.headers["mcp-session-id"].to_str().unwrap();
    let headers = [accept, ("mcp-session-id", session), ("mcp-protocol-version", "2025-11-25")];
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": tool } });
    send(app, request("POST", &headers, &call.to_string())).await
}

#[tokio::test]
async fn a_rejection_has_its_status_and_retry_after() {
    let app = app();
    for (tool, status, code, retry_after) in [
        ("busy", StatusCode::TOO_MANY_REQUESTS, -32603, Some(("3", 2_500))),
        ("closed", StatusCode::SERVICE_UNAVAILABLE, -32603, Some(("1", 1))),
        ("secret", StatusCode::FORBIDDEN, -32600, None),
    ] {
        for reply in [modern(&app, "tools/call", json!({ "name": tool })).await, in_session(&app, tool).await] {
            assert_eq!(reply.status, status, "{tool}");
            let header = reply.headers.get("retry-after").map(|value| value.to_str().unwrap());
            assert_eq!(header, retry_after.map(|(header, _)| header), "{tool}");
            let error = &reply.json()["error"];
            assert_eq!(error["code"], code, "{error}");
            assert_eq!(error["data"]["retryAfterMs"].as_u64(), retry_after.map(|(_, time)| time), "{error}");
        }
    }
}

#[tokio::test]
async fn other_errors_of_a_layer_are_error_results() {
    let app = app();
    for reply in [modern(&app, "tools/call", json!({ "name": "plain" })).await, in_session(&app, "plain").await] {
        assert_eq!(reply.status, StatusCode::OK);
        let result = &reply.json()["result"];
        assert_eq!(result["isError"], true);
        assert_eq!(result["content"][0]["text"], "call `closed` instead");
    }
}
