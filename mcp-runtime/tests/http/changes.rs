//! Notices about changes: on the stream of a session, and on the stream of `subscriptions/listen`.

use std::time::Duration;

use axum::{Router, body::Body, http::StatusCode};
use http_body_util::BodyExt;
use mcp_runtime::{Server, Service, prelude::*, tool::DynamicTool};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::http::{
    session::Session,
    wire::{event, request},
};

fn service() -> Service {
    Server::new("changing", "1").dynamic_tools().dynamic_resources().build().unwrap()
}

fn grow(service: &Service, name: &str) {
    let tool = DynamicTool::from_schema(name.to_owned(), "A tool.", json!({ "type": "object" }), async |_: Ctx, _| "");
    service.tools().add(tool).unwrap();
}

/// Opens a stream of events.
async fn open(app: &Router, method: &str, headers: &[(&str, &str)], body: &str) -> Body {
    let response = app.clone().oneshot(request(method, headers, body)).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    response.into_body()
}

async fn open_listening(app: &Router) -> Body {
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "subscriptions/listen")];
    let message = json!({ "jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": {
        "notifications": { "toolsListChanged": true },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }});
    open(app, "POST", &headers, &message.to_string()).await
}

/// Returns the next message of a stream, or `None` at its end.
async fn next(body: &mut Body) -> Option<Value> {
    loop {
        let frame = tokio::time::timeout(Duration::from_secs(5), body.frame()).await.expect("an event or the end")?;
        let bytes = frame.unwrap().into_data().unwrap();
        if let Some(message) = event(str::from_utf8(&bytes).unwrap()) {
            return Some(message);
        }
    }
}

#[tokio::test]
async fn a_session_gets_notices_on_its_stream() {
    let service = service();
    let session = Session::of(service.mount("/mcp"), "2025-11-25").await;
    let headers = [("accept", "text/event-stream"), session.headers()[0], session.headers()[1]];
    let mut stream = open(&session.app, "GET", &headers, "").await;
    (0..100).for_each(|index| grow(&service, &format!("tool_{index}")));
    assert_eq!(next(&mut stream).await.unwrap()["method"], "notifications/tools/list_changed");
    let subscribe = json!({
        "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": { "uri": "test://page" },
    });
    assert_eq!(session.post(&subscribe).await.json()["result"], json!({}));
    service.resources().updated("test://page");
    let updated = next(&mut stream).await.unwrap();
    assert_eq!(updated["params"], json!({ "uri": "test://page" }));
}

#[tokio::test]
async fn a_notice_waits_until_the_client_opens_its_stream_again() {
    let service = service();
    let session = Session::of(service.mount("/mcp"), "2025-11-25").await;
    let headers = [("accept", "text/event-stream"), session.headers()[0], session.headers()[1]];
    for round in 0..3 {
        grow(&service, &format!("tool_{round}"));
        tokio::time::sleep(Duration::from_millis(50)).await;
        let mut stream = open(&session.app, "GET", &headers, "").await;
        assert_eq!(next(&mut stream).await.unwrap()["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn a_subscription_is_a_stream_that_a_shutdown_ends_with_its_result() {
    let service = service();
    let app = service.mount("/mcp");
    let mut stream = open_listening(&app).await;
    let acknowledged = next(&mut stream).await.unwrap();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    grow(&service, "late");
    let notice = next(&mut stream).await.unwrap();
    assert_eq!(notice["method"], "notifications/tools/list_changed");
    assert_eq!(notice["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l");
    let shutdown = tokio::spawn(async move { service.shutdown(Duration::from_secs(5)).await });
    let end = next(&mut stream).await.unwrap();
    assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!("l"), &json!("complete")));
    assert_eq!(next(&mut stream).await, None);
    drop(stream);
    shutdown.await.unwrap();
}

#[tokio::test]
async fn a_client_that_disconnects_frees_its_subscription() {
    let service = service();
    let app = service.mount("/mcp");
    // More than one client can have at once.
    for _ in 0..600 {
        let mut stream = open_listening(&app).await;
        assert!(next(&mut stream).await.is_some());
    }
    grow(&service, "late");
    let mut stream = open_listening(&app).await;
    assert!(next(&mut stream).await.is_some());
}
