//! Authorization over HTTP: the server as an OAuth 2.1 resource server.
//!
//! A server with an [`Authorization`] answers only requests that carry a bearer token issued for it. The token's
//! subject is the request's [`Principal`](crate::Principal): only that principal can use the sessions that it opened
//! and resume the calls that it began. Tools read the principal with [`Ctx::principal`](crate::Ctx::principal).
//!
//! ```
//! use mcp_runtime::{
//!     Principal, Result, Server,
//!     auth::{Authorization, BearerToken, TokenError, TokenFuture, TokenVerifier},
//!     prelude::*,
//! };
//!
//! /// Lists the bookings of the caller.
//! #[mcp_tool(read_only, scopes("flights:read"))]
//! async fn my_bookings(ctx: &Ctx) -> Result<String> {
//!     let principal = ctx.principal().ok_or("the caller is not logged in")?;
//!     Ok(format!("{} has no bookings", principal.name()))
//! }
//!
//! /// Verifies a token, for instance by asking the authorization server.
//! struct Introspection;
//!
//! impl TokenVerifier for Introspection {
//!     fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
//!         Box::pin(async move {
//!             match token.secret() {
//!                 "the token of ann" => {
//!                     Ok(Principal::new("https://auth.example.com#ann").scopes(["flights:write"]))
//!                 }
//!                 _ => Err(TokenError::invalid("the token is unknown")),
//!             }
//!         })
//!     }
//! }
//!
//! # fn main() -> Result<(), mcp_runtime::BuildError> {
//! let authorization = Authorization::new("https://mcp.example.com/mcp", Introspection)
//!     .authorization_servers(["https://auth.example.com"])
//!     .implies("flights:write", ["flights:read"]);
//! let service = Server::new("flights", "1.0.0")
//!     .authorization(authorization)
//!     .tools(tools![my_bookings])
//!     .build()?;
//!
//! let app: axum::Router = axum::Router::new().nest("/mcp", service.router()).merge(service.metadata_router());
//! # Ok(())
//! # }
//! ```
//!
//! What the operator chooses, such as the URL or the issuer, is declared as [settings](crate::settings), and
//! `Server::authorization_from` (feature `settings`) makes the authorization from it.
//!
//! # Rejected requests
//!
//! | the request | status | `WWW-Authenticate: Bearer …` |
//! | --- | --- | --- |
//! | has no token, or has one in the query | 401 | the URL of the metadata |
//! | has an `Authorization` header that cannot be parsed | 400 | `error="invalid_request"` |
//! | has a token that is forged, expired, or issued for another resource | 401 | `error="invalid_token"` |
//! | has a token without a scope that the server or the tool needs | 403 | `error="insufficient_scope"`, and all scopes needed |
//! | arrives while the verifier is unavailable | 503, `Retry-After` | – |
//!
//! Each challenge contains the URL of the *metadata* (RFC 9728): the resource, its authorization servers, and the
//! scopes of the server and its tools. [`Service::serve_http`](crate::Service::serve_http) serves the metadata at its
//! well-known paths; an application with its own router merges
//! [`Service::metadata_router`](crate::Service::metadata_router) at its root. The metadata is public, and pages of any
//! origin can fetch it, because some clients run in a browser.
//!
//! If clients run in browsers, allow the origins of their pages with
//! [`AllowedHosts::origins`](crate::http::AllowedHosts::origins). The server then answers preflight requests, and exposes
//! `WWW-Authenticate` and `Mcp-Session-Id`.
//!
//! The authorization applies to every endpoint of the service: that for MCP, those of `contract::rest` and
//! `contract::jsonrpc`, and routes behind [`Service::guard`](crate::Service::guard).
//!
//! # Scopes
//!
//! `scopes("flights:write")` on a [tool](macro@crate::mcp_tool) or a [handoff](macro@crate::handoff) lists the scopes
//! that its callers need; [`Authorization::scopes`] lists the scopes that every caller needs. The server checks scopes
//! before a call begins and in each of its rounds. Prompts, resources, and methods of contracts have scopes in the same way,
//! and a completion or a list of a template needs those of its prompt or template. If one scope includes others, declare that with
//! [`Authorization::implies`].
//!
//! Over HTTP without authorization, every call of a tool with scopes is rejected; the server logs a warning when the
//! endpoint is created. Over stdio, and in memory without a principal, every scope is granted, because the user who
//! starts the process also gives the process its credentials.
//!
//! # Tokens
//!
//! Each request, also within a session, carries its token in the `Authorization` header and nowhere else. The server
//! removes the token from the request during verification. The token never appears in a log, an error or a
//! `requestState`. Do not send the token to other services: it was issued for this one.

pub use crate::serve::http::auth::{Authorization, BearerToken, TokenError, TokenFuture, TokenVerifier};
#[cfg(feature = "jwt")]
pub use crate::serve::http::auth::{Jwks, JwksError, JwtVerifier};
