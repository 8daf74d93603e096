//! Signed tokens at the endpoint.

use axum::{Router, http::StatusCode};
use mcp_runtime::auth::{Authorization, Jwks};

use super::{
    TOKENS,
    keys::{Server, ok},
    text, verifier,
};
use crate::http::auth::{call, challenge, server};

#[tokio::test]
async fn a_signed_token_identifies_the_caller() {
    let keys = Server::start(ok(&TOKENS["jwks"].to_string())).await;
    let verifier = verifier(Jwks::from_url(&keys.url).unwrap());
    let authorization =
        Authorization::new("https://mcp.example.com/mcp", verifier).implies("flights:write", ["openid"]);
    let service = server().authorization(authorization).build().unwrap();
    let app = Router::new().nest("/mcp", service.router());

    let reply = call(&app, text(&TOKENS["good"]["EdDSA"]), "whoami").await;
    let seen = "https://auth.example.com#ann flights:write,flights:read,openid -";
    assert_eq!(reply.json()["result"]["content"][0]["text"], seen);
    assert_eq!(call(&app, text(&TOKENS["good"]["ES256"]), "look").await.status, StatusCode::OK);
    assert_eq!(call(&app, text(&TOKENS["good"]["PS256"]), "look").await.status, StatusCode::FORBIDDEN);

    for (name, case) in TOKENS["bad"].as_object().unwrap() {
        let reply = call(&app, text(&case[0]), "whoami").await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{name}");
        let described = format!("Bearer error=\"invalid_token\", error_description=\"{}\"", text(&case[1]));
        assert!(challenge(&reply).starts_with(&described), "{name}: {}", challenge(&reply));
    }
}
