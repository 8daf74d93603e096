//! Tasks over HTTP.

use axum::{Router, body::Body, http::Request};
use http_body_util::BodyExt as _;
use mcp_runtime::{
    Server,
    prelude::*,
    runs::{RunLimits, RunQuota, Runs},
};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::tasks::wire::TASKS;

/// Never ends.
#[mcp_tool(task)]
async fn hold() {
    std::future::pending::<()>().await;
}

/// Calls `hold`, and returns the status and the body of the response.
async fn call(app: &Router) -> (u16, Value) {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "extensions": { TASKS: {} } },
    });
    let params = json!({ "name": "hold", "_meta": meta });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let request = Request::post("/").header("host", "localhost").header("content-type", "application/json");
    let request = request.header("mcp-protocol-version", "2026-07-28");
    let request = request.header("mcp-method", "tools/call").header("mcp-name", "hold");
    let response = app.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap())
}

#[tokio::test]
async fn a_task_that_exceeds_a_limit_is_refused_with_429_or_503() {
    let (many, one) = (RunQuota { runs: 10, bytes: 1_000_000 }, RunQuota { runs: 1, bytes: 1_000_000 });
    for (limits, refused, words) in [
        (RunLimits { per_owner: one, total: many }, 429, "you have 1 open tasks, which is the limit"),
        (RunLimits { per_owner: many, total: one }, 503, "this server has 1 open tasks, which is the limit"),
    ] {
        let server = Server::new("s", "1").tools(tools![hold]).tasks(Runs::default().open_limits(limits));
        let app = server.build().unwrap().router();
        assert_eq!(call(&app).await.0, 200);
        let (status, body) = call(&app).await;
        assert_eq!(status, refused, "{body}");
        assert!(body["error"]["message"].as_str().unwrap().starts_with(words), "{body}");
    }
}
