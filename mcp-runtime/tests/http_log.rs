//! The log of a server over HTTP contains problems for the operator, and never contains a token.

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode},
};
use mcp_runtime::{
    Principal, Server,
    auth::{Authorization, BearerToken, TokenError, TokenFuture, TokenVerifier},
    prelude::*,
};
use serde_json::json;
use tower::ServiceExt;
use tracing_subscriber::filter::LevelFilter;

use crate::support::{log::Log, own_process::in_own_process};

struct Tokens;

impl TokenVerifier for Tokens {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
        Box::pin(async move {
            match token.secret() {
                "sesame-good" => Ok(Principal::new("ann")),
                "sesame-away" => Err(TokenError::unavailable("the server of tokens is away")),
                _ => Err(TokenError::invalid("the token is unknown")),
            }
        })
    }
}

/// Says who asks.
#[mcp_tool(read_only)]
async fn whoami(ctx: &Ctx) -> String {
    tokio::task::yield_now().await;
    format!("{:?}", ctx.principal())
}

/// Looks at flights.
#[mcp_tool(read_only, scopes("flights:read"))]
async fn look() {}

#[tokio::test(start_paused = true)]
async fn the_log_names_problems_but_no_token() {
    in_own_process!();
    let log = Log::default();
    tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(log.clone()).init();
    let authorization =
        Authorization::new("https://mcp.example.com/mcp", Tokens).authorization_servers(["https://auth.example.com"]);
    let service = Server::new("s", "1").tools(tools![whoami, look]).authorization(authorization).build().unwrap();
    let app = Router::new().nest("/mcp", service.router());
    let send_as = async |revision: &str, token: &str, tool: &str| {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }}});
        let request = Request::post("/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {token}"))
            .header("mcp-protocol-version", revision)
            .header("mcp-method", "tools/call")
            .header("mcp-name", tool);
        app.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap().status()
    };
    let send = async |token: &str, tool: &str| send_as("2026-07-28", token, tool).await;
    for (token, tool, status) in [
        ("sesame-good", "whoami", StatusCode::OK),
        ("sesame-good", "look", StatusCode::FORBIDDEN),
        ("sesame-away", "whoami", StatusCode::SERVICE_UNAVAILABLE),
        ("sesame-forged", "whoami", StatusCode::UNAUTHORIZED),
        ("sesame,malformed", "whoami", StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(send(token, tool).await, status, "{token} {tool}");
    }
    assert_eq!(send_as("2025-11-25", "sesame-good", "whoami").await, StatusCode::BAD_REQUEST);
    assert!(log.text().contains("to serve such clients, set `Server::revision_of_body(true)`"), "{}", log.text());
    for _ in 0..1000 {
        send("sesame-away", "whoami").await;
    }
    tokio::time::sleep(Duration::from_secs(11)).await;
    let told = log.text().matches("the server of tokens is away").count();
    assert_eq!(told, 2, "a line at once, and one for the thousand that follow");
    assert!(log.text().contains("and 1000 more in the last 10 s"), "{}", log.text());
    assert!(!log.text().contains("has no authorization"), "callers are known");
    drop(Server::new("s", "1").tools(tools![whoami, look]).build().unwrap().router());
    let log = log.text();
    let warning = "tool `look` needs the scopes `flights:read`, but the server has no authorization, so it \
                   rejects calls of this tool over HTTP";
    assert!(log.contains(warning), "{log}");
    assert!(!log.contains("tool `whoami` needs"), "{log}");
    assert!(log.contains("the server of tokens is away"), "the operator learns why: {log}");
    assert!(log.contains("whoami"), "there are spans: {log}");
    for secret in ["sesame", "Bearer"] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}
