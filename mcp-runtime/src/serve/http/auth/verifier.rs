//! The trait that verifies bearer tokens.

use std::{error::Error, fmt, pin::Pin, sync::Arc, time::Duration};

use crate::engine::call::Principal;

/// Verifies bearer tokens. Returns the principal of a valid token, with the scopes that the token grants.
///
/// The server calls the verifier with every request; see [`Authorization`](super::Authorization).
/// [`JwtVerifier`](super::JwtVerifier) (feature `jwt`) verifies signed tokens. To ask the authorization server, or to
/// look tokens up in a table, implement the trait:
///
/// ```
/// use mcp_runtime::{
///     Principal,
///     auth::{BearerToken, TokenError, TokenFuture, TokenVerifier},
/// };
///
/// /// Accepts one key, for one machine.
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
/// - **strict about the audience**: it rejects a token that was issued for a resource other than
///   [`BearerToken::resource`], even if the signature is valid. Otherwise another server that receives a token could
///   use the token here;
/// - **up to date**: it rejects a token that has expired, or that it knows to be revoked;
/// - **quick**: the request waits for the verifier. If the verifier asks another service, it waits only a few seconds
///   for the answer, and returns [`TokenError::Unavailable`] after that;
/// - **silent**: it never writes the token to a log or an error, because a token is a password.
pub trait TokenVerifier: Send + Sync + 'static {
    /// Returns the principal of this token.
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a>;

    /// Returns the issuer of the tokens that the verifier accepts. Clients get their tokens from this issuer, unless
    /// [`Authorization::authorization_servers`](super::Authorization::authorization_servers) sets others.
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

/// The error of a token that is not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// The token is not valid for this server, for example because it was revoked. The client gets the reason, so the
    /// reason must not contain the token.
    #[error("{0}")]
    Invalid(String),
    /// The token has expired.
    #[error("the token has expired")]
    Expired,
    /// Tokens cannot be verified now. The client is asked to retry, and the reason is reported to the operator.
    #[error("tokens cannot be verified at the moment")]
    Unavailable {
        /// The time after which the client should retry.
        retry_after: Duration,
        /// The reason, for the operator.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl<'a> BearerToken<'a> {
    /// Creates the token that a server with the URL `resource` receives. Use this function in tests of a verifier.
    pub const fn new(secret: &'a str, resource: &'a str) -> Self {
        Self { secret, resource }
    }

    /// Returns the token itself.
    pub const fn secret(self) -> &'a str {
        self.secret
    }

    /// Returns the URL of this server. The token must have been issued for this URL.
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
