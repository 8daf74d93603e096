//! Who may ask: bearer tokens, as a resource server of OAuth 2.1 takes them.
//!
//! `admission.rs` looks at the token of each request, `challenge.rs` tells clients what they lack, `metadata.rs` where to
//! get it.

mod admission;
mod challenge;
#[cfg(feature = "jwt")]
mod jwt;
mod metadata;
mod url;
mod verifier;

use std::{fmt, sync::Arc};

use axum::response::Response;
use http::{header::AUTHORIZATION, request::Parts};

pub(crate) use self::admission::Admission;
pub(super) use self::challenge::{challenged, name_scopes};
#[cfg(feature = "jwt")]
pub use self::jwt::{Jwks, JwksError, JwtVerifier};
use self::url::Url;
pub use self::verifier::{BearerToken, TokenError, TokenFuture, TokenVerifier};
use crate::{server::Service, tool::registry::is_scope};

/// What a server demands of whoever calls it over HTTP: a bearer token that was issued for it.
///
/// The [module](crate::auth) tells how it is used.
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
    /// Tokens for `resource`, which is the URL by which clients call the endpoint: `https://mcp.example.com/mcp`. `http`
    /// is for the machine itself: `http://localhost:3000/mcp`.
    ///
    /// What is no such URL is told when the server is built.
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
                "authorization: the resource `{}`: {reason}; write the URL that clients are given, as \
                 `https://mcp.example.com/mcp`",
                new.resource
            ));
        }
        new
    }

    /// Where clients get their tokens: the issuers, as `https://auth.example.com`. Default: the issuer of the verifier.
    pub fn authorization_servers<S: Into<String>>(mut self, issuers: impl IntoIterator<Item = S>) -> Self {
        self.servers = issuers.into_iter().map(Into::into).collect();
        self
    }

    /// What every token must grant, whatever is asked. What a tool needs besides stands at the tool: `scopes(…)`.
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        for scope in scopes.into_iter().map(Into::into) {
            self.check_scope(&scope);
            if !self.scopes.contains(&scope) {
                self.scopes.push(scope);
            }
        }
        self
    }

    /// Whoever was granted `scope` was granted these as well: `implies("flights:admin", ["flights:read"])`.
    pub fn implies<S: Into<String>>(mut self, scope: impl Into<String>, implied: impl IntoIterator<Item = S>) -> Self {
        let (scope, implied) = (scope.into(), implied.into_iter().map(Into::into).collect::<Vec<_>>());
        implied.iter().chain([&scope]).for_each(|scope| self.check_scope(scope));
        self.implied.push((scope, implied));
        self
    }

    /// Where clients find what is published of this, if not at the well-known place. Default, for
    /// `https://mcp.example.com/mcp`: `https://mcp.example.com/.well-known/oauth-protected-resource/mcp`.
    ///
    /// [`Service::router`] shows it below its own path as well, for a proxy that passes nothing else on:
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
                "authorization: `{}` is no scope: it has visible ASCII characters besides `\"` and `\\`, one at least",
                scope.escape_debug()
            ));
        }
    }

    /// What is wrong with what the author wrote, a sentence each.
    fn problems(&self) -> Vec<String> {
        let mut problems = self.problems.clone();
        for server in &self.servers {
            if let Err(reason) = Url::read(server) {
                problems.push(format!(
                    "authorization: the authorization server `{server}`: {reason}; write its issuer, as \
                     `https://auth.example.com`"
                ));
            }
        }
        if self.servers.is_empty() {
            problems.push(
                "authorization: no authorization server, and clients would not know where to get a token; add \
                 `.authorization_servers([\"https://auth.example.com\"])`"
                    .to_owned(),
            );
        }
        problems
    }
}

/// Lets a request pass that may, with whoever is behind it in its extensions. Its token goes no further.
///
/// # Errors
/// What is answered instead.
pub(super) async fn admit(admission: Option<&Admission>, parts: &mut Arc<Parts>) -> Result<(), Response> {
    let Some(admission) = admission else { return Ok(()) };
    let principal = admission.admit(&parts.headers).await?;
    let parts = Arc::make_mut(parts);
    parts.headers.remove(AUTHORIZATION);
    parts.extensions.insert(principal);
    Ok(())
}

/// Tells the operator of tools that nobody can call.
pub(super) fn warn_of_unreachable(service: &Service) {
    if service.http().admission.is_some() {
        return;
    }
    for tool in service.0.registry.iter().filter(|tool| !tool.definition.scopes.is_empty()) {
        let (name, scopes) = (&tool.definition.name, tool.definition.scopes.join(" "));
        crate::report!(
            "tool `{name}`: it needs `{scopes}`, and every call over HTTP is refused as long as nothing says who calls: set \
             `Server::authorization`, or have a middleware put a `Principal` with its scopes into the request's extensions"
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
    use crate::{Server, call::Principal};

    struct OfAnn;

    impl TokenVerifier for OfAnn {
        fn verify<'a>(&'a self, _: BearerToken<'a>) -> TokenFuture<'a> {
            Box::pin(async { Ok(Principal::new("ann")) })
        }
    }

    #[tokio::test]
    async fn a_token_goes_no_further_than_to_its_verifier() {
        let authorization =
            Authorization::new("https://mcp.example.com", OfAnn).authorization_servers(["https://auth.example.com"]);
        let service = Server::new("s", "1").authorization(authorization).build().unwrap();
        let request = Request::builder().header(AUTHORIZATION, "Bearer sesame").body(()).unwrap();
        let mut parts = Arc::new(request.into_parts().0);
        admit(service.http().admission.as_ref(), &mut parts).await.unwrap();
        assert!(parts.headers.is_empty());
        assert_eq!(parts.extensions.get(), Some(&Principal::new("ann")));
    }
}
