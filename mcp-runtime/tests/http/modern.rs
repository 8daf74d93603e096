//! Requests of the newest revision, which have no session.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use tower::ServiceExt;

use crate::http::wire::{GONE, app, modern, request, send};

#[tokio::test]
async fn a_call_without_notifications_is_answered_with_json() {
    let reply = modern(&app(), "tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 2 } })).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.json()["result"]["content"][0]["text"], "3");
    assert!(!reply.headers.contains_key("mcp-session-id"));
}

#[tokio::test]
async fn a_call_with_notifications_is_answered_with_events() {
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
async fn errors_have_their_http_status() {
    let app = app();
    let unknown = modern(&app, "tools/destroy", json!({})).await;
    assert_eq!((unknown.status, &unknown.json()["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));
    let listen = modern(&app, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } })).await;
    assert_eq!((listen.status, &listen.json()["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));
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
    assert_eq!((garbage.status, &garbage.json()["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32700)));
}

#[tokio::test]
async fn rejects_an_invalid_message() {
    let app = app();
    let get = send(&app, request("GET", &[], "")).await;
    assert_eq!((get.status, &get.headers["allow"]), (StatusCode::METHOD_NOT_ALLOWED, &"POST".parse().unwrap()));
    let put = send(&app, request("PUT", &[], "{}")).await;
    assert_eq!(
        (put.status, &put.headers["allow"]),
        (StatusCode::METHOD_NOT_ALLOWED, &"POST, GET, DELETE".parse().unwrap())
    );
    let large = send(&app, request("POST", &[], &" ".repeat(5 * 1024 * 1024))).await;
    assert_eq!((large.status, &large.json()["error"]["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!(-32600)));
    let mut text = request("POST", &[], "{}");
    text.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(send(&app, text).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn headers_must_match_the_body() {
    let app = app();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "add", "arguments": { "a": 1, "b": 2 }, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
        },
    }})
    .to_string();
    let right = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "add")];
    assert_eq!(send(&app, request("POST", &right, &body)).await.status, StatusCode::OK);
    for (index, wrong) in ["2025-11-25", "tools/list", "book"].into_iter().enumerate() {
        let mut headers = right;
        headers[index].1 = wrong;
        let refused = send(&app, request("POST", &headers, &body)).await;
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32020)));
        let without: Vec<_> = right.into_iter().filter(|(name, _)| *name != right[index].0).collect();
        let refused = send(&app, request("POST", &without, &body)).await;
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32020)));
    }
}

#[tokio::test]
async fn rejects_pages_of_other_origins() {
    let app = app();
    let foreign = send(&app, request("POST", &[("origin", "https://evil.example")], "{}")).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    let mut rebound = request("POST", &[], "{}");
    rebound.headers_mut().insert("host", "evil.example".parse().unwrap());
    assert_eq!(send(&app, rebound).await.status, StatusCode::FORBIDDEN);
    let own = send(&app, request("POST", &[("origin", "http://localhost")], "{}")).await;
    assert_eq!(own.status, StatusCode::BAD_REQUEST, "it is no message, but may be sent");
}

#[tokio::test]
async fn answers_cors_preflights_of_allowed_pages() {
    let app = app();
    let origin = "http://localhost:5173";
    let asks = [
        ("origin", origin),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type,mcp-method,mcp-param-seat"),
    ];
    let allowed = send(&app, request("OPTIONS", &asks, "")).await;
    assert_eq!(allowed.status, StatusCode::NO_CONTENT);
    for (name, value) in [
        ("access-control-allow-origin", origin),
        ("access-control-allow-methods", "POST"),
        ("access-control-allow-headers", "content-type,mcp-method,mcp-param-seat"),
        ("vary", "origin"),
    ] {
        assert_eq!(allowed.headers[name], value);
    }
    let reply = send(&app, request("POST", &[("origin", origin)], "{}")).await;
    assert_eq!(reply.headers["access-control-allow-origin"], origin);
    assert_eq!(reply.headers["access-control-expose-headers"], "mcp-session-id, www-authenticate, retry-after");

    let stranger = [("origin", "https://evil.example"), ("access-control-request-method", "POST")];
    let refused = send(&app, request("OPTIONS", &stranger, "")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(!refused.headers.contains_key("access-control-allow-origin"));
    let no_page = send(&app, request("OPTIONS", &[], "")).await;
    assert_eq!(no_page.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(!no_page.headers.contains_key("access-control-allow-origin"));
}

#[tokio::test(start_paused = true)]
async fn a_long_silent_call_sends_keep_alive_comments() {
    let events = modern(&app(), "tools/call", json!({ "name": "wait" })).await;
    assert_eq!(events.headers["content-type"], "text/event-stream");
    // The first of 600 seconds' comments is the headers.
    assert_eq!(events.text.matches(":\n\n").count(), 39);
    assert_eq!(events.events().len(), 1);
}

#[tokio::test]
async fn a_disconnect_cancels_the_call() {
    let app = app();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "wait", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
    }}});
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "wait")];
    let call = app.clone().oneshot(request("POST", &headers, &body.to_string()));
    assert!(tokio::time::timeout(Duration::from_millis(50), call).await.is_err());
    tokio::time::timeout(Duration::from_secs(5), GONE.notified()).await.expect("its future is dropped");
}

#[tokio::test]
async fn a_retried_first_request_with_a_key_is_one_call() {
    let app = app();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "book", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
    }}})
    .to_string();
    let headers = |key| {
        [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "book"),
            ("idempotency-key", key),
        ]
    };
    let first = send(&app, request("POST", &headers("k1"), &body)).await.json();
    assert_eq!(send(&app, request("POST", &headers("k1"), &body)).await.json(), first);
    assert_ne!(send(&app, request("POST", &headers("k2"), &body)).await.json(), first);
    let refused = send(&app, request("POST", &headers(&"k".repeat(256)), &body)).await;
    assert_eq!(refused.json()["error"]["code"], -32602);
}
