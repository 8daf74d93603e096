//! The protected resource metadata (RFC 9728), and its URLs.

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode},
};
use mcp_runtime::{Server, auth::Authorization, prelude::*};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::{Tokens, Unasked, app, authorization, challenge, guarded, server};
use crate::http::wire::{Reply, request, send};

async fn fetch(app: &Router, method: &str, path: &str) -> Reply {
    // As a page of another origin sends it.
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("host", "mcp.example.com")
        .header("origin", "https://inspector.example");
    send(app, request.body(Body::empty()).unwrap()).await
}

fn expected() -> Value {
    json!({
        "resource": "https://mcp.example.com/mcp",
        "resource_name": "flights",
        "authorization_servers": ["https://auth.example.com"],
        "bearer_methods_supported": ["header"],
        "scopes_supported": ["flights:read", "flights:write", "flights:admin"],
    })
}

#[tokio::test]
async fn serves_metadata_at_the_well_known_path_and_below_the_endpoint() {
    let app = app();
    for path in ["/.well-known/oauth-protected-resource/mcp", "/mcp/.well-known/oauth-protected-resource"] {
        let reply = fetch(&app, "GET", path).await;
        assert_eq!((reply.status, reply.json()), (StatusCode::OK, expected()), "{path}");
        assert_eq!(reply.headers["access-control-allow-origin"], "*");
        assert_eq!(reply.headers["cache-control"], "public, max-age=3600");
    }
    assert_eq!(fetch(&app, "GET", "/.well-known/oauth-protected-resource/other").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn pages_of_other_origins_can_read_the_metadata() {
    let app = app();
    let path = "/.well-known/oauth-protected-resource/mcp";
    let reply = fetch(&app, "OPTIONS", path).await;
    assert_eq!((reply.status, &*reply.text), (StatusCode::NO_CONTENT, ""));
    assert_eq!(reply.headers["access-control-allow-origin"], "*");
    assert_eq!(reply.headers["access-control-allow-headers"], "*");
    assert_eq!(reply.headers["access-control-allow-methods"], "GET, HEAD");
    assert_eq!(fetch(&app, "HEAD", path).await.text, "");
    assert_eq!(fetch(&app, "POST", path).await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn scopes_of_the_settings_come_first() {
    let app =
        guarded(authorization().scopes(["mcp"]).authorization_servers(["https://a.example", "https://b.example/x"]));
    let reply = fetch(&app, "GET", "/.well-known/oauth-protected-resource/mcp").await.json();
    assert_eq!(reply["scopes_supported"], json!(["mcp", "flights:read", "flights:write", "flights:admin"]));
    assert_eq!(reply["authorization_servers"], json!(["https://a.example", "https://b.example/x"]));
}

/// The fares.
#[mcp_resource("flights://fares", scopes("fares:read"))]
async fn fares() -> &'static str {
    "cheap"
}

/// Cancels a flight.
#[mcp_tool(scopes("flights:cancel"))]
async fn cancel() {}

#[tokio::test]
async fn scopes_of_resources_and_of_tools_that_are_added_later_are_included() {
    let server = Server::new("s", "1").dynamic_tools().resources(resources![fares]).authorization(authorization());
    let service = server.build().unwrap();
    let app = service.router().merge(service.metadata_router());
    let path = "/.well-known/oauth-protected-resource/mcp";
    assert_eq!(fetch(&app, "GET", path).await.json()["scopes_supported"], json!(["fares:read"]));
    service.tools().add_all(tools![cancel]).unwrap();
    assert_eq!(fetch(&app, "GET", path).await.json()["scopes_supported"], json!(["flights:cancel", "fares:read"]));
    service.tools().remove("cancel");
    assert_eq!(fetch(&app, "GET", path).await.json()["scopes_supported"], json!(["fares:read"]));
}

#[tokio::test]
async fn the_metadata_url_can_be_set() {
    let elsewhere = "https://mcp.example.com/mcp/.well-known/oauth-protected-resource";
    let app = guarded(authorization().metadata_url(elsewhere));
    let reply = send(&app, request("POST", &[], "{}")).await;
    assert_eq!(challenge(&reply), format!("Bearer resource_metadata=\"{elsewhere}\""));
}

#[tokio::test]
async fn serves_metadata_at_the_root_for_a_resource_without_path() {
    for resource in ["https://mcp.example.com", "https://mcp.example.com/"] {
        let authorization = Authorization::new(resource, Tokens);
        let service = Server::new("s", "1").title("Flights").authorization(authorization).build().unwrap();
        let app = service.router().merge(service.metadata_router());
        let reply = fetch(&app, "GET", "/.well-known/oauth-protected-resource").await.json();
        assert_eq!((&reply["resource"], &reply["resource_name"]), (&json!(resource), &json!("Flights")));
        assert_eq!(reply.get("scopes_supported"), None);
    }
}

#[tokio::test]
async fn serve_http_serves_metadata_for_endpoint_and_host() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let service = server().authorization(authorization()).build().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving =
        tokio::spawn(async move { service.serve_http(("127.0.0.1", port), async { drop(stopped.await) }).await });
    for path in [
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-protected-resource",
        "/mcp/.well-known/oauth-protected-resource",
    ] {
        let mut stream = loop {
            match TcpStream::connect(("127.0.0.1", port)).await {
                Ok(stream) => break stream,
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(5)).await,
            }
        };
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
        let body = text.split_once("\r\n\r\n").unwrap().1;
        assert_eq!(serde_json::from_str::<Value>(body).unwrap(), expected());
    }
    drop(stop);
    serving.await.unwrap().unwrap();
}

#[test]
fn build_reports_invalid_authorization_settings() {
    let authorization = Authorization::new("http://mcp.example.com/mcp", Unasked)
        .scopes(["a b"])
        .implies("", ["c"])
        .metadata_url("/metadata");
    let error = Server::new("s", "1").authorization(authorization).build().unwrap_err();
    assert_eq!(
        error.problems(),
        [
            "authorization: the resource `http://mcp.example.com/mcp`: `http` is allowed for the local machine only; \
             write the URL that clients use, such as `https://mcp.example.com/mcp`",
            "authorization: `a b` is not a scope: write one or more visible ASCII characters other than `\"` and `\\`",
            "authorization: `` is not a scope: write one or more visible ASCII characters other than `\"` and `\\`",
            "authorization: the URL of the metadata `/metadata`: it is not a complete URL",
            "authorization: no authorization server is set, so clients do not know where to get a token; add \
             `.authorization_servers([\"https://auth.example.com\"])`",
        ]
    );
}
