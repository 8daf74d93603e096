//! The host of the resource is allowed.

use axum::{Router, http::HeaderValue};
use mcp_runtime::{Server, auth::Authorization, http::AllowedHosts};
use serde_json::json;

use super::{Tokens, alone, authorization, server, with_token};
use crate::http::wire::send;

async fn status(server: Server, host: &str, origin: Option<&str>) -> u16 {
    let app = Router::new().nest("/mcp", server.build().unwrap().router());
    let mut request = with_token("ann-read", alone("tools/call", json!({ "name": "whoami", "arguments": {} })));
    request.headers_mut().insert("host", HeaderValue::from_str(host).unwrap());
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", HeaderValue::from_str(origin).unwrap());
    }
    send(&app, request).await.status.as_u16()
}

#[tokio::test]
async fn the_host_of_the_resource_is_allowed_by_default() {
    let guarded = || server().authorization(authorization());
    for (host, expected) in [
        ("mcp.example.com", 200),
        ("mcp.example.com:443", 200),
        ("MCP.example.com", 200),
        ("localhost:3000", 200),
        ("evil.example", 403),
        ("mcp.example.com.evil.example", 403),
        ("example.com", 403),
    ] {
        assert_eq!(status(guarded(), host, None).await, expected, "{host}");
    }
    let host = "mcp.example.com";
    assert_eq!(status(guarded(), host, Some("https://mcp.example.com")).await, 200);
    assert_eq!(status(guarded(), host, Some("https://evil.example")).await, 403);
    // Without authorization, only the local machine is allowed.
    assert_eq!(status(server(), host, None).await, 403);
}

#[tokio::test]
async fn only_the_port_of_the_resource_is_allowed() {
    let guarded = || server().authorization(Authorization::new("https://mcp.example.com:8443/mcp", Tokens));
    assert_eq!(status(guarded(), "mcp.example.com", None).await, 403);
    // The verifier of these tests knows another resource only.
    let admitted = tokio::spawn(status(guarded(), "mcp.example.com:8443", None)).await;
    assert!(admitted.is_err(), "the request reaches the verifier");
}

#[tokio::test]
async fn hosts_that_the_author_names_stay_as_they_are() {
    let guarded = |hosts| server().authorization(authorization()).allowed_hosts(hosts);
    let other = || AllowedHosts::new(["other.example.com"]);
    assert_eq!(status(guarded(other()), "mcp.example.com", None).await, 403);
    assert_eq!(status(guarded(other()), "other.example.com", None).await, 200);
    // Origins alone name no host.
    let page = "https://app.example.com";
    let origins = || AllowedHosts::default().origins([page]);
    assert_eq!(status(guarded(origins()), "mcp.example.com", Some(page)).await, 200);
    assert_eq!(status(guarded(origins()), "mcp.example.com", Some("https://mcp.example.com")).await, 403);
}
