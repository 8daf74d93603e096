//! Bodies that the endpoint does not accept. After each, the next request works.

use axum::{
    Router,
    body::{Body, Bytes},
    http::Request,
};
use mcp_runtime::contract::jsonrpc;
use serde_json::json;

use super::{app, app_with, call, post, reply};

async fn still_works(app: &Router) {
    assert_eq!(call(app, "server_status.get", json!({})).await, Ok(json!("fine")));
}

#[tokio::test]
async fn parse_error_has_no_id() {
    let app = app();
    for text in
        [r#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, "[1,", "", "{", "\u{feff}{}", "{} {}"]
    {
        let message = post(&app, text).await.error(400, -32700);
        assert!(message.starts_with("the body is not JSON"), "{text}: {message}");
    }
    assert_eq!(post(&app, vec![b'"', 0xff, b'"']).await.error(400, -32700), "the body is not UTF-8");
    still_works(&app).await;
}

#[tokio::test]
async fn max_body_size_limits_the_body() {
    let app = app_with(jsonrpc::Options::new().max_body_size(100));
    assert_eq!(post(&app, " ".repeat(101)).await.error(413, -32600), "the body must have at most 100 bytes");
    still_works(&app).await;
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"notes.search","params":["{}"]}}"#, "x".repeat(2 << 20));
    assert_eq!(post(&super::app(), long).await.error(413, -32600), "the body must have at most 1048576 bytes");
}

#[tokio::test]
async fn a_wrong_content_type_is_refused() {
    let app = app();
    for ty in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let request = Request::post("/rpc").header("content-type", ty).body(Body::from("{}")).unwrap();
        let message = reply(&app, request).await.error(415, -32600);
        assert_eq!(message, "the body must be JSON; send `Content-Type: application/json`", "{ty}");
    }
    let request = Request::post("/rpc").header("content-type", "application/json").header("content-encoding", "gzip");
    let message = reply(&app, request.body(Body::from("{}")).unwrap()).await.error(415, -32600);
    assert!(message.starts_with("the body has the `Content-Encoding` `gzip`"), "{message}");
    still_works(&app).await;
}

#[tokio::test]
async fn a_truncated_body_is_refused() {
    let app = app();
    let pieces = [Ok(Bytes::from_static(b"{")), Err(std::io::Error::other("the client left"))];
    let message = post(&app, Body::new(crate::contract::pieces::Pieces::from(pieces))).await.error(400, -32700);
    assert_eq!(message, "the body of the request is incomplete");
    still_works(&app).await;
}

#[tokio::test]
async fn deep_params_are_invalid_and_harmless() {
    let app = app();
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let request = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"notes.search","params":{{"text":{deep}}}}}"#);
    assert_eq!(post(&app, request).await.json()["error"]["code"], -32602);
    let message = post(&app, deep).await;
    assert_eq!(message.status, 200, "{}", message.body);
    still_works(&app).await;
}
