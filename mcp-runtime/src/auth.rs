//! Who may ask over HTTP: a server as a resource server of OAuth 2.1.
//!
//! A server with an [`Authorization`] answers only requests that bring a bearer token which was issued for it. Who is
//! behind the token is the request's [`Principal`](crate::Principal): nobody else goes on with its sessions and its
//! calls, and tools see it with [`Ctx::principal`](crate::Ctx::principal).
//!
//! ```
//! use mcp_runtime::{
//!     AllowedHosts, Principal, Result, Server,
//!     auth::{Authorization, BearerToken, TokenError, TokenFuture, TokenVerifier},
//!     prelude::*,
//! };
//!
//! /// Shows the bookings of whoever asks.
//! #[mcp_tool(read_only, scopes("flights:read"))]
//! async fn my_bookings(ctx: &Ctx) -> ToolResult<String> {
//!     let principal = ctx.principal().ok_or("nobody is logged in")?;
//!     Ok(format!("{} has no bookings", principal.name()))
//! }
//!
//! /// Says what a token is worth: asks the authorization server, for instance.
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
//!     .allowed_hosts(AllowedHosts::new(["mcp.example.com"]))
//!     .authorization(authorization)
//!     .tools(tools![my_bookings])
//!     .build()?;
//!
//! let app: axum::Router = axum::Router::new().nest("/mcp", service.router()).merge(service.metadata_router());
//! # Ok(())
//! # }
//! ```
//!
//! # What is answered instead
//!
//! | a request | status | `WWW-Authenticate: Bearer …` |
//! | --- | --- | --- |
//! | without a token, or with one in the query | 401 | where tokens are got |
//! | whose `Authorization` cannot be read | 400 | `error="invalid_request"` |
//! | with a token that is forged, expired, or for somebody else | 401 | `error="invalid_token"` |
//! | with a token that does not grant what the server or the tool needs | 403 | `error="insufficient_scope"`, all that is needed |
//! | while nobody can verify tokens | 503, `Retry-After` | – |
//!
//! Each challenge names the URL of the *metadata* (RFC 9728): the resource, its authorization servers, the scopes that the
//! server and its tools know of. [`Service::serve_http`](crate::Service::serve_http) shows it at the well-known places of
//! its host; an application merges [`Service::metadata_router`](crate::Service::metadata_router) at its root. It is public,
//! and pages may read it, since some clients run in a browser.
//!
//! An application whose clients run in browsers puts a layer for CORS in front of the endpoint, as for any other: it answers
//! `OPTIONS`, and exposes `WWW-Authenticate` and `Mcp-Session-Id`.
//!
//! # Scopes
//!
//! `scopes("flights:write")` at a [tool](macro@crate::mcp_tool) or a [handoff](macro@crate::handoff) names what its callers
//! must have been granted, and [`Authorization::scopes`] what all must. It is looked at before a call begins and in each of
//! its rounds. Where a scope contains others, say so with [`Authorization::implies`].
//!
//! Over HTTP a tool with scopes is refused to everybody as long as nothing says who calls; the operator is told when the
//! endpoint is made. Over standard input, and in memory without a principal, everything is granted: whoever starts a
//! process gives it its credentials.
//!
//! # Tokens
//!
//! A token belongs in `Authorization` of every request, sessions or not, and nowhere else. It is taken out of the request
//! when it is verified, and stands in no log, no error and no state. Do not pass it on to other services: it was issued for
//! this one.

pub use crate::http::auth::{Authorization, BearerToken, TokenError, TokenFuture, TokenVerifier};
#[cfg(feature = "jwt")]
pub use crate::http::auth::{Jwks, JwksError, JwtVerifier};
