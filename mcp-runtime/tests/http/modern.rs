//! Requests of the newest revision stand alone.

use axum::http::StatusCode;
use serde_json::json;

use crate::wire::{app, modern, request, send};

#[tokio::test]
async fn a_call_that_says_nothing_is_answered_with_json() {
    let reply = modern(&app(), "tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 2 } })).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.json()["result"]["content"][0]["text"], "3");
    assert!(!reply.headers.contains_key("mcp-session-id"));
}

#[tokio::test]
async fn a_call_that_speaks_is_answered_with_events() {
    let reply = modern(&app(), "tools/call", json!({ "name": "speak" })).await;
    assert_eq!((reply.status, &reply.headers["x-accel-buffering"]), (StatusCode::OK, &"no".parse().unwrap()));
    let events = reply.events();
    assert_eq!(events[0]["method"], "notifications/message");
    assert_eq!(events[1]["params"]["progress"], 0.5);
    assert_eq!(events[2]["result"]["content"][0]["text"], "done");
    assert_eq!(events.len(), 3);
}

#[tokio::test]
async fn a_round_ends_with_its_questions() {
    let app = app();
    let first = modern(&app, "tools/call", json!({ "name": "book" })).await.json();
    assert_eq!(first["result"]["resultType"], "input_required");
    let answer = json!({ "seat": { "action": "accept", "content": { "seat": "12A" } } });
    let state = &first["result"]["requestState"];
    let more = json!({ "name": "book", "requestState": state, "inputResponses": answer });
    let done = modern(&app, "tools/call", more).await.json();
    assert_eq!(done["result"]["content"][0]["text"], "booked 12A");
}

#[tokio::test]
async fn errors_have_their_status() {
    let app = app();
    let unknown = modern(&app, "tools/destroy", json!({})).await;
    assert_eq!((unknown.status, &unknown.json()["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));
    let unknown = modern(&app, "tools/call", json!({ "name": "fly" })).await;
    assert_eq!((unknown.status, &unknown.json()["error"]["code"]), (StatusCode::OK, &json!(-32602)));
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "book", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
    }}});
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "book")];
    let refused = send(&app, request("POST", &headers, &body.to_string())).await;
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32021)));
    let garbage = send(&app, request("POST", &[], "{")).await;
    assert_eq!(garbage.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn what_is_no_message_is_refused() {
    let app = app();
    let get = send(&app, request("GET", &[], "")).await;
    assert_eq!((get.status, &get.headers["allow"]), (StatusCode::METHOD_NOT_ALLOWED, &"POST, DELETE".parse().unwrap()));
    let large = send(&app, request("POST", &[], &" ".repeat(5 * 1024 * 1024))).await;
    assert_eq!((large.status, &large.json()["error"]["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!(-32600)));
    let mut text = request("POST", &[], "{}");
    text.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(send(&app, text).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}
