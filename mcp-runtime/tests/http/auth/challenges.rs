//! Rejections: statuses and exact `WWW-Authenticate` headers.

use axum::http::StatusCode;
use mcp_runtime::auth::Authorization;
use serde_json::json;

use super::{Unasked, alone, app, authorization, call, challenge, guarded, with_token};
use crate::http::wire::{request, send};

const METADATA: &str = r#"resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp""#;

#[tokio::test]
async fn every_request_needs_a_token() {
    let app = app();
    for method in ["POST", "GET", "DELETE", "PUT"] {
        let reply = send(&app, request(method, &[("mcp-session-id", "x")], "no JSON")).await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{method}");
        assert_eq!(challenge(&reply), format!("Bearer {METADATA}"), "no error where nothing was wrong");
        assert_eq!(reply.json()["error"]["message"], "send a token: `Authorization: Bearer …`");
    }
    assert_eq!(call(&app, "ann-read", "whoami").await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_first_challenge_names_the_required_scopes() {
    let app = guarded(authorization().scopes(["mcp", "flights:read", "mcp"]));
    let reply = send(&app, alone("tools/list", json!({}))).await;
    assert_eq!(challenge(&reply), format!(r#"Bearer scope="mcp flights:read", {METADATA}"#));

    let reply = call(&app, "ann-read", "whoami").await;
    assert_eq!(reply.status, StatusCode::FORBIDDEN);
    let described = r#"error="insufficient_scope", error_description="the token does not grant `mcp flights:read`""#;
    assert_eq!(challenge(&reply), format!(r#"Bearer {described}, scope="mcp flights:read", {METADATA}"#));
}

#[tokio::test]
async fn accepts_a_token_in_its_header_only() {
    let app = app();
    let mut in_query = alone("tools/list", json!({}));
    *in_query.uri_mut() = "/mcp?access_token=ann-read".parse().unwrap();
    assert_eq!(send(&app, in_query).await.status, StatusCode::UNAUTHORIZED);
    let mut list = alone("tools/list", json!({}));
    list.headers_mut().insert("authorization", "Basic YW5uOnJlYWQ=".parse().unwrap());
    let reply = send(&app, list).await;
    assert_eq!((reply.status, challenge(&reply)), (StatusCode::UNAUTHORIZED, &*format!("Bearer {METADATA}")));
    let mut list = alone("tools/list", json!({}));
    list.headers_mut().insert("authorization", "bEARER  ann-read".parse().unwrap());
    assert_eq!(send(&app, list).await.status, StatusCode::OK, "schemes have no case");
}

#[tokio::test]
async fn a_header_that_cannot_be_read_is_a_bad_request() {
    let app = app();
    for values in [&["Bearer"][..], &["Bearer a b"], &["Bearer ann-read,"], &["Bearer ann-read", "Bearer ann-read"]] {
        let mut list = alone("tools/list", json!({}));
        for value in values {
            list.headers_mut().append("authorization", value.parse().unwrap());
        }
        let reply = send(&app, list).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{values:?}");
        assert!(challenge(&reply).starts_with(r#"Bearer error="invalid_request", error_description=""#), "{values:?}");
        assert!(challenge(&reply).contains("one token: `Authorization: Bearer ...`\""), "{}", challenge(&reply));
    }
}

#[tokio::test]
async fn names_the_reason_for_an_invalid_token() {
    let app = app();
    for (token, reason) in [("past", "the token has expired"), ("forged", "the token is not 'one' of ours '")] {
        let reply = call(&app, token, "whoami").await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{token}");
        let expected = format!(r#"Bearer error="invalid_token", error_description="{reason}", {METADATA}"#);
        assert_eq!(challenge(&reply), expected);
    }
}

#[tokio::test]
async fn answers_503_while_tokens_cannot_be_verified() {
    let reply = call(&app(), "away", "whoami").await;
    assert_eq!((reply.status, &reply.headers["retry-after"]), (StatusCode::SERVICE_UNAVAILABLE, &"7".parse().unwrap()));
    assert!(!reply.headers.contains_key("www-authenticate"), "another token would be no better");
    assert!(!reply.text.contains("server of tokens"), "the reason is the operator's: {}", reply.text);
}

#[tokio::test]
async fn checks_hosts_before_tokens_and_tokens_before_messages() {
    let unasked =
        || Authorization::new("https://mcp.example.com/mcp", Unasked).authorization_servers(["https://a.example"]);
    for (name, value) in [("host", "evil.example"), ("origin", "https://evil.example")] {
        let mut foreign = with_token("ann-read", request("POST", &[], "{"));
        foreign.headers_mut().insert(name, value.parse().unwrap());
        let reply = send(&guarded(unasked()), foreign).await;
        assert_eq!(reply.status, StatusCode::FORBIDDEN);
        assert!(!reply.headers.contains_key("www-authenticate"), "no token would help");
    }
    let app = app();
    let reply = send(&app, request("POST", &[], "{")).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    let reply = send(&app, with_token("ann-read", request("POST", &[], "{"))).await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32700)));
}
