//! Who says what a token is worth.

use std::{error::Error, fmt, pin::Pin, sync::Arc, time::Duration};

use crate::call::Principal;

/// Says who is behind a bearer token, and what they were granted.
///
/// A server asks it with every request; see [`Authorization`](super::Authorization). [`JwtVerifier`](super::JwtVerifier)
/// (feature `jwt`) is one, for tokens that are signed. Whoever asks the authorization server instead, or a table of keys,
/// writes their own:
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
///             // In a time that does not tell how much of it is right.
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
/// **For this server.** A token that was issued for another resource is no good here, however well it is signed: whoever
/// got it could be anybody's server ([`BearerToken::resource`]).
///
/// **Still good.** It has not expired, and was not taken back, as far as that can be known.
///
/// **Soon.** The request waits. A verifier that asks somebody else gives up after a few seconds, and says
/// [`TokenError::Unavailable`].
///
/// **Silent.** A token is a password. It stands in no log and in no error.
pub trait TokenVerifier: Send + Sync + 'static {
    /// Who is behind this token.
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a>;

    /// Whose tokens it takes: the authorization server to which clients are sent, unless
    /// [`Authorization::authorization_servers`](super::Authorization::authorization_servers) names others.
    fn issuer(&self) -> Option<&str> {
        None
    }
}

/// What a [`TokenVerifier`] returns.
pub type TokenFuture<'a> = Pin<Box<dyn Future<Output = Result<Principal, TokenError>> + Send + 'a>>;

/// A token as it came with a request, and what it must be for. It is not shown by `{:?}`.
#[derive(Clone, Copy)]
pub struct BearerToken<'a> {
    secret: &'a str,
    resource: &'a str,
}

/// Why a token says nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// It is no token of this server's: not signed, for another server, taken back. The client is told the reason, so it
    /// repeats nothing of the token.
    #[error("{0}")]
    Invalid(String),
    /// It was one.
    #[error("the token has expired")]
    Expired,
    /// Nobody can say at the moment. The client is told to come again, and the operator the reason.
    #[error("tokens cannot be verified at the moment")]
    Unavailable {
        /// When to come again.
        retry_after: Duration,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl<'a> BearerToken<'a> {
    /// A token, and the resource whose server it came to: for tests of verifiers.
    pub const fn new(secret: &'a str, resource: &'a str) -> Self {
        Self { secret, resource }
    }

    /// The token itself.
    pub const fn secret(self) -> &'a str {
        self.secret
    }

    /// The URL of this server, which the token must have been issued for.
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
    /// It is no token of this server's, for a reason that the client may know.
    pub fn invalid(reason: impl Into<String>) -> Self {
        Self::Invalid(reason.into())
    }

    /// Nobody can say at the moment; ask again in 5 seconds.
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
