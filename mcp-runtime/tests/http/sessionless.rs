//! Clients before 2026-07-28 on a server without sessions.

use axum::{Router, http::StatusCode};
use mcp_runtime::{Server, tools};
use serde_json::{Value, json};

use crate::http::wire::{GONE, Reply, add, book, modern, request, send, speak, wait};

fn app() -> Router {
    let server = Server::new("s", "1").tools(tools![add, speak, book, wait]).dynamic_tools();
    server.sessions(false).build().unwrap().mount("/mcp")
}

async fn post(app: &Router, revision: &str, message: &Value) -> Reply {
    let headers = [("mcp-protocol-version", revision), ("accept", "application/json, text/event-stream")];
    send(app, request("POST", &headers, &message.to_string())).await
}

fn message(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

fn initialize(revision: &str) -> Value {
    let info = json!({ "name": "c", "version": "1" });
    let capabilities = json!({ "elicitation": {}, "sampling": {} });
    message("initialize", &json!({ "protocolVersion": revision, "capabilities": capabilities, "clientInfo": info }))
}

const REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

#[tokio::test]
async fn each_request_is_answered_by_any_instance() {
    for revision in REVISIONS {
        let reply = post(&app(), revision, &initialize(revision)).await;
        assert_eq!(reply.status, StatusCode::OK);
        assert!(!reply.headers.contains_key("mcp-session-id"));
        let result = &reply.json()["result"];
        assert_eq!(result["protocolVersion"], revision);
        assert_eq!(result["capabilities"], json!({ "tools": {} }), "neither log messages nor notices");

        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let reply = post(&app(), revision, &initialized).await;
        assert_eq!((reply.status, &*reply.text), (StatusCode::ACCEPTED, ""));
        let answer = json!({ "jsonrpc": "2.0", "id": "s-1", "result": {} });
        assert_eq!(post(&app(), revision, &answer).await.status, StatusCode::ACCEPTED);

        let call = message("tools/call", &json!({ "name": "add", "arguments": { "a": 1, "b": 2 } }));
        let reply = post(&app(), revision, &call).await;
        assert_eq!(reply.json()["result"]["content"][0]["text"], "3");
        assert_eq!(post(&app(), revision, &message("ping", &json!({}))).await.json()["result"], json!({}));
        for unknown in ["logging/setLevel", "resources/subscribe", "no/such"] {
            let reply = post(&app(), revision, &message(unknown, &json!({ "level": "info", "uri": "a:b" }))).await;
            assert_eq!((reply.status, &reply.json()["error"]["code"]), (StatusCode::OK, &json!(-32601)), "{unknown}");
        }
    }
}

#[tokio::test]
async fn tools_that_ask_are_not_listed_and_a_call_says_why() {
    let reply = post(&app(), "2025-11-25", &message("tools/list", &json!({}))).await.json();
    let names: Vec<_> = reply["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["add", "speak", "wait"]);
    let reply = post(&app(), "2025-11-25", &message("tools/call", &json!({ "name": "book" }))).await.json();
    assert_eq!(reply["result"]["isError"], true);
    let text = reply["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("this server has no sessions, so it asks only clients of revision 2026-07-28"), "{text}");
}

#[tokio::test]
async fn progress_is_sent_on_the_stream_of_its_call() {
    let call = message("tools/call", &json!({ "name": "speak", "_meta": { "progressToken": 1.0 } }));
    let events = post(&app(), "2025-11-25", &call).await.events();
    assert_eq!(events.len(), 2, "no log messages");
    assert_eq!(events[0]["params"], json!({ "progressToken": 1, "progress": 0.5, "total": 1.0, "message": "half" }));
    assert_eq!(events[1]["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn the_header_decides_the_revision_and_a_session_id_is_ignored() {
    let app = app();
    let list = message("tools/list", &json!({})).to_string();
    let titled = |reply: &Reply| reply.json()["result"]["tools"][0]["annotations"].is_object();
    let none = send(&app, request("POST", &[], &list)).await;
    assert!(titled(&none), "2025-03-26 has annotations");
    let oldest = [("mcp-protocol-version", "2024-11-05"), ("mcp-session-id", "of another instance")];
    assert!(!titled(&send(&app, request("POST", &oldest, &list)).await));
    let unknown = [("mcp-protocol-version", "1999-01-01")];
    assert_eq!(send(&app, request("POST", &unknown, &list)).await.status, StatusCode::BAD_REQUEST);
    // A request of the newest revision names its revision in its body.
    let newest = send(&app, request("POST", &[("mcp-protocol-version", "2026-07-28")], &list)).await;
    assert_eq!((newest.status, &newest.json()["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32602)));
    let batch = json!([message("ping", &json!({})), { "jsonrpc": "2.0", "method": "notifications/initialized" }]);
    assert_eq!(post(&app, "2025-03-26", &batch).await.json(), json!([{ "jsonrpc": "2.0", "id": 1, "result": {} }]));
    assert_eq!(post(&app, "2025-11-25", &batch).await.json()["error"]["code"], -32600);
    let notices = json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }]);
    assert_eq!(post(&app, "2025-03-26", &notices).await.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn get_and_delete_are_not_allowed() {
    for method in ["GET", "DELETE", "PUT"] {
        let headers = [("mcp-session-id", "x"), ("accept", "text/event-stream")];
        let reply = send(&app(), request(method, &headers, "")).await;
        assert_eq!((reply.status, &reply.headers["allow"]), (StatusCode::METHOD_NOT_ALLOWED, &"POST".parse().unwrap()));
    }
}

#[tokio::test]
async fn a_call_ends_when_its_client_disconnects() {
    let app = app();
    let call = message("tools/call", &json!({ "name": "wait" }));
    let calling = tokio::time::timeout(std::time::Duration::from_millis(50), post(&app, "2025-11-25", &call));
    assert!(calling.await.is_err());
    GONE.notified().await;
}

#[tokio::test]
async fn clients_without_sessions_are_not_affected() {
    let app = app();
    let discovered = modern(&app, "server/discover", json!({})).await.json();
    assert_eq!(discovered["result"]["capabilities"], json!({ "logging": {}, "tools": { "listChanged": true } }));
    let asked = modern(&app, "tools/call", json!({ "name": "book", "arguments": {} })).await.json();
    assert_eq!(asked["result"]["resultType"], "input_required");
    assert_eq!(modern(&app, "tools/call", json!({ "name": "speak", "arguments": {} })).await.events().len(), 3);
}
