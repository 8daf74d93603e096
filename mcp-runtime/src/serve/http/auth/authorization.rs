//! The author's settings for authorization.

use std::{fmt, sync::Arc};

#[cfg(feature = "settings")]
use super::verifier::{BearerToken, TokenError, TokenFuture};
use super::{url::Url, verifier::TokenVerifier};
use crate::engine::tool::check::is_scope;

/// The authorization of a server: every client over HTTP must send a bearer token that was issued for this server.
///
/// See the [module](crate::auth).
#[must_use]
pub struct Authorization {
    pub(super) resource: String,
    pub(super) verifier: Arc<dyn TokenVerifier>,
    pub(super) servers: Vec<String>,
    pub(super) scopes: Vec<String>,
    pub(super) implied: Vec<(String, Vec<String>)>,
    pub(super) metadata_url: Option<String>,
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

    /// Creates the authorization of a server that is built without the values of its settings, which say what it is. No
    /// client is admitted, although no such server is ever served.
    #[cfg(feature = "settings")]
    pub(crate) fn rejecting_all() -> Self {
        struct RejectsAll;

        impl TokenVerifier for RejectsAll {
            fn verify<'a>(&'a self, _: BearerToken<'a>) -> TokenFuture<'a> {
                Box::pin(async { Err(TokenError::unavailable("the settings are not read")) })
            }
        }

        const URL: &str = "http://localhost";
        Self::new(URL, RejectsAll).authorization_servers([URL])
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
    /// [`Service::router`](crate::Service::router) also serves the metadata below its own path, for a proxy that forwards no other path:
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
    pub(crate) fn host(&self) -> Option<&str> {
        Url::read(&self.resource).ok()?.origin.split_once("://").map(|(_, host)| host)
    }

    /// Returns the author's mistakes, one sentence each.
    pub(super) fn problems(&self) -> Vec<String> {
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

impl fmt::Debug for Authorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorization")
            .field("resource", &self.resource)
            .field("authorization_servers", &self.servers)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}
