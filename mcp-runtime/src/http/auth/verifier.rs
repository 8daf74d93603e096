//! The trait that verifies bearer tokens.

use std::{error::Error, fmt, pin::Pin, sync::Arc, time::Duration};

use crate::call::Principal;

/// Verifies a bearer token: returns its principal, with the scopes it grants.
///
/// The server calls it with every request; see [`Authorization`](super::Authorization).
/// [`JwtVerifier`](super::JwtVerifier) (feature `jwt`) verifies signed tokens. To ask the authorization server, or to
/// look tokens up in a table, implement the trait:
///
/// ```
/// use mcp_runtime::{
///     Principal,
///     auth::{BearerToken, TokenError, TokenFuture, TokenVerifier},
/// };
///
/// /// One key, for one machine.
/// struct OneKey(String);
///
/// impl TokenVerifier for OneKey {
///     fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
///         Box::pin(async move {
///             // Compares in constant time.
///             let (key, token) = (self.0.as_bytes(), token.secret().as_bytes());
///             let differ = key.iter().zip(token).fold(0, |differ, (a, b)| differ | (a ^ b));
///             if key.len() == token.len() && differ == 0 {
///                 Ok(Principal::new("the nightly job").scopes(["flights:read"]))
///             } else {
///                 Err(TokenError::invalid("the token is not the key"))
///             }
///         })
///     }
/// }
/// ```
///
/// A verifier must be
///
/// - **strict about the audience**: it rejects a token that was issued for another resource, however valid its
///   signature, because any other server that received the token could send it here ([`BearerToken::resource`]);
/// - **up to date**: it rejects a token that has expired or, as far as it can know, was revoked;
/// - **quick**: the request waits. If the verifier asks another service, it times out after a few seconds and returns
///   [`TokenError::Unavailable`];
/// - **silent**: a token is a password and must not appear in a log or an error.
pub trait TokenVerifier: Send + Sync + 'static {
    /// Returns the principal behind this token.
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a>;

    /// Returns the issuer of the tokens that it accepts: the authorization server to which clients are sent, unless
    /// [`Authorization::authorization_servers`](super::Authorization::authorization_servers) names others.
    fn issuer(&self) -> Option<&str> {
        None
    }
}

/// The return type of [`TokenVerifier::verify`].
pub type TokenFuture<'a> = Pin<Box<dyn Future<Output = Result<Principal, TokenError>> + Send + 'a>>;

/// The token of a request, and the resource it must be issued for. `{:?}` does not show the token.
#[derive(Clone, Copy)]
pub struct BearerToken<'a> {
    secret: &'a str,
    resource: &'a str,
}

/// Why a token is not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// The token is not valid for this server: wrong signature, another audience, revoked. The client gets the reason,
    /// so it must not repeat the token.
    #[error("{0}")]
    Invalid(String),
    /// The token has expired.
    #[error("the token has expired")]
    Expired,
    /// Tokens cannot be verified now. The client is asked to retry, and the reason is reported to the operator.
    #[error("tokens cannot be verified at the moment")]
    Unavailable {
        /// When the client should retry.
        retry_after: Duration,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl<'a> BearerToken<'a> {
    /// Creates a token for the server of `resource`, for tests of verifiers.
    pub const fn new(secret: &'a str, resource: &'a str) -> Self {
        Self { secret, resource }
    }

    /// Returns the token itself.
    pub const fn secret(self) -> &'a str {
        self.secret
    }

    /// Returns the URL of this server, which the token must have been issued for.
    pub const fn resource(self) -> &'a str {
        self.resource
    }
}

impl fmt::Debug for BearerToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BearerToken").field("resource", &self.resource).finish_non_exhaustive()
    }
}

impl TokenError {
    /// Creates an error for a token that is not valid for this server. The client gets the reason.
    pub fn invalid(reason: impl Into<String>) -> Self {
        Self::Invalid(reason.into())
    }

    /// Creates an error for a verifier that cannot answer now. The client is asked to retry after 5 seconds.
    ///
    /// ```
    /// use mcp_runtime::auth::TokenError;
    ///
    /// let error = TokenError::unavailable("no answer within 2 s");
    /// assert_eq!(error.to_string(), "tokens cannot be verified at the moment");
    /// ```
    pub fn unavailable(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable { retry_after: Duration::from_secs(5), source: error.into() }
    }
}

impl<V: TokenVerifier + ?Sized> TokenVerifier for Arc<V> {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
        (**self).verify(token)
    }

    fn issuer(&self) -> Option<&str> {
        (**self).issuer()
    }
}
