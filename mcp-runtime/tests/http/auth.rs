//! Bearer tokens: accepted tokens, scopes and challenges.

mod challenges;
mod from_settings;
mod hosts;
mod jwt;
mod metadata;
mod rounds;
mod scopes;
mod secrets;

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, Request, header::AUTHORIZATION},
};
use mcp_runtime::{
    Elicited, Principal, Result, Server,
    auth::{Authorization, BearerToken, TokenError, TokenFuture, TokenVerifier},
    prelude::*,
};
use serde_json::{Map, Value, json};

use crate::http::wire::{Reply, request, send};

/// A verifier that accepts tokens such as `name-granted`, which belongs to the principal `name`.
pub(crate) struct Tokens;

impl TokenVerifier for Tokens {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
        assert_eq!(token.resource(), "https://mcp.example.com/mcp");
        Box::pin(async move {
            let granted = |name: &str, scopes: &[&str]| {
                let mut claims = Map::new();
                claims.insert("email".into(), format!("{name}@example.com").into());
                Ok(Principal::new(name).scopes(scopes).claims(claims))
            };
            match token.secret() {
                "ann-nothing" => granted("ann", &[]),
                "ann-read" => granted("ann", &["flights:read"]),
                "ann-write" => granted("ann", &["flights:write"]),
                "ann-all" => granted("ann", &["flights:admin"]),
                "bob-write" => granted("bob", &["flights:write", "flights:read"]),
                "root" => granted("root", &["flights:admin"]),
                "past" => Err(TokenError::Expired),
                "away" => Err(TokenError::Unavailable {
                    retry_after: Duration::from_secs(7),
                    source: "the server of tokens is away".into(),
                }),
                _ => Err(TokenError::invalid("the token is not \"one\" of ours\n\\")),
            }
        })
    }

    fn issuer(&self) -> Option<&str> {
        Some("https://auth.example.com")
    }
}

/// A verifier that must never be called.
pub(crate) struct Unasked;

impl TokenVerifier for Unasked {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
        panic!("asked about {token:?}")
    }
}

#[elicits]
pub(crate) enum Journey {
    Place { place: String },
}

/// Says who asks.
#[mcp_tool(read_only)]
async fn whoami(ctx: &Ctx) -> String {
    let Some(principal) = ctx.principal() else { return "nobody".to_owned() };
    let granted: Vec<_> = principal.granted().collect();
    let email = principal.claim("email").and_then(Value::as_str).unwrap_or("-");
    format!("{} {} {email}", principal.name(), granted.join(","))
}

/// Looks at flights.
#[mcp_tool(read_only, scopes("flights:read"))]
async fn look(ctx: &Ctx) -> String {
    ctx.log(Level::Info, "looking");
    tokio::time::sleep(Duration::from_millis(1)).await;
    "nothing".to_owned()
}

/// Books a flight.
#[mcp_tool(replayable, scopes("flights:read", "flights:write"))]
async fn reserve(ctx: &Ctx<Journey>) -> Result<String> {
    let before = ctx.principal();
    match ctx.elicit::<Place>("Which place?").await? {
        Elicited::Accept(Place { place }) => {
            let (before, after) = (before.as_ref().map(Principal::name), ctx.principal());
            assert_eq!(before, after.as_ref().map(Principal::name));
            let granted = after.map(|principal| principal.granted().collect::<Vec<_>>().join(","));
            Ok(format!("{place} for {} with {}", before.unwrap_or("nobody"), granted.unwrap_or_default()))
        }
        Elicited::Decline | Elicited::Cancel => Ok("not booked".to_owned()),
    }
}

pub(crate) struct Cancel;

/// Cancels a flight.
#[handoff(scopes("flights:admin"))]
impl Cancel {
    async fn before(&self, flight: String) -> String {
        flight
    }

    async fn client(_ctx: &Ctx, _flight: &String) -> bool {
        true
    }

    async fn after(&self, flight: String, _sure: bool) -> String {
        format!("{flight} is cancelled")
    }
}

pub(crate) fn authorization() -> Authorization {
    Authorization::new("https://mcp.example.com/mcp", Tokens)
        .implies("flights:write", ["flights:read"])
        .implies("flights:admin", ["flights:write"])
}

pub(crate) fn server() -> Server {
    Server::new("flights", "1").tools(tools![whoami, look, reserve]).tool(Cancel)
}

/// Creates a server whose callers need a token.
pub(crate) fn app() -> Router {
    guarded(authorization())
}

pub(crate) fn guarded(authorization: Authorization) -> Router {
    let service = server().authorization(authorization).build().unwrap();
    Router::new().nest("/mcp", service.router()).merge(service.metadata_router())
}

/// Adds a token to the request.
pub(crate) fn with_token(token: &str, mut request: Request<Body>) -> Request<Body> {
    let value = HeaderValue::from_str(&format!("Bearer {token}")).unwrap();
    request.headers_mut().insert(AUTHORIZATION, value);
    request
}

/// Creates a request without a session.
pub(crate) fn alone(method: &str, params: Value) -> Request<Body> {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/logLevel": "info",
    });
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method), ("mcp-name", &name)];
    let headers = if name.is_empty() { &headers[..2] } else { &headers };
    let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    request("POST", headers, &body.to_string())
}

pub(crate) async fn call(app: &Router, token: &str, tool: &str) -> Reply {
    send(app, with_token(token, alone("tools/call", json!({ "name": tool, "arguments": {} })))).await
}

pub(crate) fn challenge(reply: &Reply) -> &str {
    reply.headers["www-authenticate"].to_str().unwrap()
}
