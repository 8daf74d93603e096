//! Authorization: bearer tokens, as a resource server of OAuth 2.1 accepts them.
//!
//! `admission.rs` checks the token of each request. `challenge.rs` builds the responses to rejected requests.
//! `metadata.rs` publishes where clients get a token.

mod admission;
mod challenge;
#[cfg(feature = "jwt")]
mod jwt;
mod metadata;
mod url;
mod verifier;

use std::{fmt, sync::Arc};

use http::{header::AUTHORIZATION, request::Parts};

pub(crate) use self::admission::Authorizer;
pub(super) use self::challenge::{challenged, name_scopes, need_scopes};
#[cfg(feature = "jwt")]
pub use self::jwt::{Jwks, JwksError, JwtVerifier};
use self::url::Url;
pub use self::verifier::{BearerToken, TokenError, TokenFuture, TokenVerifier};
use super::guard::RefusedRequest;
use crate::{engine::tool::check::is_scope, serve::server::Service};

/// The authorization of a server: every client over HTTP must send a bearer token that was issued for this server.
///
/// See the [module](crate::auth).
#[must_use]
pub struct Authorization {
    resource: String,
    verifier: Arc<dyn TokenVerifier>,
    servers: Vec<String>,
    scopes: Vec<String>,
    implied: Vec<(String, Vec<String>)>,
    metadata_url: Option<String>,
    problems: Vec<String>,
}

impl Authorization {
    /// Requires tokens for `resource`, the URL of the endpoint that clients use: `https://mcp.example.com/mcp`. `http`
    /// is allowed for the local machine only: `http://localhost:3000/mcp`.
    ///
    /// Requests to the host of this URL are allowed, unless [`Server::allowed_hosts`](crate::Server::allowed_hosts)
    /// names other hosts.
    ///
    /// An invalid URL is an error of [`Server::build`](crate::Server::build).
    pub fn new(resource: impl Into<String>, verifier: impl TokenVerifier) -> Self {
        let mut new = Self {
            resource: resource.into(),
            verifier: Arc::new(verifier),
            servers: Vec::new(),
            scopes: Vec::new(),
            implied: Vec::new(),
            metadata_url: None,
            problems: Vec::new(),
        };
        new.servers.extend(new.verifier.issuer().map(str::to_owned));
        if let Err(reason) = Url::read(&new.resource) {
            new.problems.push(format!(
                "authorization: the resource `{}`: {reason}; write the URL that clients use, such as \
                 `https://mcp.example.com/mcp`",
                new.resource
            ));
        }
        new
    }

    /// Sets the issuers that clients get their tokens from, such as `https://auth.example.com`. Default: the issuer of
    /// the verifier.
    pub fn authorization_servers<S: Into<String>>(mut self, issuers: impl IntoIterator<Item = S>) -> Self {
        self.servers = issuers.into_iter().map(Into::into).collect();
        self
    }

    /// Adds scopes that every request needs. A tool lists its additional scopes itself: `#[mcp_tool(scopes(…))]`.
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        for scope in scopes.into_iter().map(Into::into) {
            self.check_scope(&scope);
            if !self.scopes.contains(&scope) {
                self.scopes.push(scope);
            }
        }
        self
    }

    /// Grants the scopes `implied` to every client that has the scope `scope`:
    /// `implies("flights:admin", ["flights:read"])`.
    pub fn implies<S: Into<String>>(mut self, scope: impl Into<String>, implied: impl IntoIterator<Item = S>) -> Self {
        let (scope, implied) = (scope.into(), implied.into_iter().map(Into::into).collect::<Vec<_>>());
        implied.iter().chain([&scope]).for_each(|scope| self.check_scope(scope));
        self.implied.push((scope, implied));
        self
    }

    /// Sets the metadata URL that `WWW-Authenticate` challenges contain. Default: the well-known URL, which is
    /// `https://mcp.example.com/.well-known/oauth-protected-resource/mcp` for `https://mcp.example.com/mcp`.
    ///
    /// [`Service::router`] also serves the metadata below its own path, for a proxy that forwards no other path:
    /// `https://mcp.example.com/mcp/.well-known/oauth-protected-resource`.
    pub fn metadata_url(mut self, url: impl Into<String>) -> Self {
        let url = url.into();
        if let Err(reason) = Url::read(&url) {
            self.problems.push(format!("authorization: the URL of the metadata `{url}`: {reason}"));
        }
        self.metadata_url = Some(url);
        self
    }

    fn check_scope(&mut self, scope: &str) {
        if !is_scope(scope) {
            self.problems.push(format!(
                "authorization: `{}` is not a scope: write one or more visible ASCII characters other than `\"` and `\\`",
                scope.escape_debug()
            ));
        }
    }

    /// Returns the host that clients use, with its port if this is not the usual one. Returns `None` if the URL is
    /// invalid.
    pub(super) fn host(&self) -> Option<&str> {
        Url::read(&self.resource).ok()?.origin.split_once("://").map(|(_, host)| host)
    }

    /// Returns the author's mistakes, one sentence each.
    fn problems(&self) -> Vec<String> {
        let mut problems = self.problems.clone();
        for server in &self.servers {
            if let Err(reason) = Url::read(server) {
                problems.push(format!(
                    "authorization: the authorization server `{server}`: {reason}; write its issuer, such as \
                     `https://auth.example.com`"
                ));
            }
        }
        if self.servers.is_empty() {
            problems.push(
                "authorization: no authorization server is set, so clients do not know where to get a token; add \
                 `.authorization_servers([\"https://auth.example.com\"])`"
                    .to_owned(),
            );
        }
        problems
    }
}

/// Checks the token of a request. Adds the token's principal to the extensions, and removes the token from the headers.
///
/// # Errors
/// Returns the reason why the request is rejected.
pub(super) async fn admit(admission: Option<&Authorizer>, parts: &mut Arc<Parts>) -> Result<(), RefusedRequest> {
    let Some(admission) = admission else { return Ok(()) };
    let principal = admission.admit(&parts.headers).await?;
    let parts = Arc::make_mut(parts);
    parts.headers.remove(AUTHORIZATION);
    parts.extensions.insert(principal);
    Ok(())
}

/// Warns the operator about tools that no client can call over HTTP.
pub(super) fn warn_of_unreachable(service: &Service) {
    if service.http().admission.is_some() {
        return;
    }
    for tool in service.0.registry.read().iter().filter(|tool| !tool.definition.scopes.is_empty()) {
        let (name, scopes) = (&tool.definition.name, tool.definition.scopes.join(" "));
        crate::report!(
            "tool `{name}` needs the scopes `{scopes}`, but the server has no authorization, so it rejects calls of \
             this tool over HTTP; set `Server::authorization`, or let a middleware add a `Principal` with these scopes \
             to the request's extensions"
        );
    }
}

impl fmt::Debug for Authorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorization")
            .field("resource", &self.resource)
            .field("authorization_servers", &self.servers)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::{Server, engine::call::Principal};

    struct AcceptsAnn;

    impl TokenVerifier for AcceptsAnn {
        fn verify<'a>(&'a self, _: BearerToken<'a>) -> TokenFuture<'a> {
            Box::pin(async { Ok(Principal::new("ann")) })
        }
    }

    #[tokio::test]
    async fn only_the_verifier_sees_the_token() {
        let authorization = Authorization::new("https://mcp.example.com", AcceptsAnn)
            .authorization_servers(["https://auth.example.com"]);
        let service = Server::new("s", "1").authorization(authorization).build().unwrap();
        let request = Request::builder().header(AUTHORIZATION, "Bearer sesame").body(()).unwrap();
        let mut parts = Arc::new(request.into_parts().0);
        admit(service.http().admission.as_ref(), &mut parts).await.unwrap();
        assert!(parts.headers.is_empty());
        assert_eq!(parts.extensions.get(), Some(&Principal::new("ann")));
    }
}
