//! Signed tokens: JWTs in the format of RFC 9068, which most authorization servers issue.

mod fetch;
mod key;
mod keys;

use std::{fmt, time::Duration};

use jsonwebtoken::{
    Algorithm, Header, Validation, crypto::aws_lc::DEFAULT_PROVIDER, decode, decode_header, errors::ErrorKind,
};
use serde_json::{Map, Value};

pub use self::keys::{Jwks, JwksError};
use super::{BearerToken, TokenError, TokenFuture, TokenVerifier};
use crate::engine::call::Principal;

/// How much the issuer's clock can differ from the server's clock by default.
const LEEWAY: Duration = Duration::from_secs(30);
/// The largest value of [`JwtVerifier::leeway`].
const MAX_LEEWAY: Duration = Duration::from_secs(10 * 60);

/// Verifies signed tokens: JSON Web Tokens (feature `jwt`).
///
/// ```
/// use mcp_runtime::{
///     Server,
///     auth::{Authorization, Jwks, JwtVerifier},
/// };
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let keys = Jwks::from_url("http://localhost:9000/jwks.json")?; // elsewhere: `https://…`
/// let verifier = JwtVerifier::new("https://auth.example.com", keys);
/// let server = Server::new("flights", "1.0.0")
///     .authorization(Authorization::new("https://mcp.example.com/mcp", verifier));
/// # server.build()?;
/// # Ok(())
/// # }
/// ```
///
/// A token is valid if
///
/// - one of the issuer's keys signed it, with an algorithm of that key (RS256 … PS512 with at least 2048 bits, ES256,
///   ES384, EdDSA; never `none` or a shared secret),
/// - `iss` is the issuer, and `aud` is or contains the URL of this server (if the authorization server cannot set this
///   URL, use [`audience`](Self::audience)),
/// - `exp` is present and in the future, and `nbf`, if present, is in the past, with 30 seconds of tolerance,
/// - `sub` is present,
/// - `typ`, if present, is the type of an access token,
/// - the token has no critical extensions (`crit`), and is not bound to a key of its client (`cnf`), because the server
///   cannot check these.
///
/// The principal is named `issuer#subject`. Its scopes come from the claim `scope` or `scp`. Tools can read all claims.
#[must_use]
pub struct JwtVerifier {
    issuer: String,
    audiences: Vec<String>,
    leeway: Duration,
    keys: Jwks,
}

impl JwtVerifier {
    /// Creates a verifier for tokens of this issuer that are signed with these keys. `issuer` must be exactly equal to
    /// the `iss` claim.
    pub fn new(issuer: impl Into<String>, keys: Jwks) -> Self {
        // If another dependency enables a second cryptography provider, `jsonwebtoken` does not choose one itself.
        let _ = DEFAULT_PROVIDER.install_default();
        Self { issuer: issuer.into(), audiences: Vec::new(), leeway: LEEWAY, keys }
    }

    /// Accepts tokens for this audience instead of the URL of the server. Call this function several times to accept
    /// several audiences. The audience must belong to this server only.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// Sets how much the clocks of issuer and server can differ. Fractions of a second are ignored. Default: 30
    /// seconds. Maximum: 10 minutes.
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway.min(MAX_LEEWAY);
        self
    }

    async fn principal(&self, token: BearerToken<'_>) -> Result<Principal, TokenError> {
        let header = decode_header(token.secret()).map_err(|error| invalid(error.kind()))?;
        check_header(&header)?;
        let validation = self.validation(token.resource(), header.alg);
        let mut error = TokenError::invalid("the token is signed with an unknown key");
        for key in self.keys.find(header.kid.as_deref(), header.alg).await? {
            match decode::<Map<String, Value>>(token.secret(), &key.decoding, &validation) {
                Ok(token) => return principal_of(token.claims),
                Err(reason) => {
                    let is_of_another_key = matches!(reason.kind(), ErrorKind::InvalidSignature);
                    error = invalid(reason.kind());
                    if !is_of_another_key {
                        break;
                    }
                }
            }
        }
        Err(error)
    }

    fn validation(&self, resource: &str, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.leeway = self.leeway.as_secs();
        validation.validate_nbf = true;
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.set_issuer(&[&self.issuer]);
        if self.audiences.is_empty() {
            // Some authorization servers add a trailing slash to the URL.
            let resource = resource.trim_end_matches('/');
            validation.set_audience(&[resource, &format!("{resource}/")]);
        } else {
            validation.set_audience(&self.audiences);
        }
        validation
    }
}

impl TokenVerifier for JwtVerifier {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
        Box::pin(self.principal(token))
    }

    fn issuer(&self) -> Option<&str> {
        Some(&self.issuer)
    }
}

impl fmt::Debug for JwtVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JwtVerifier").field("issuer", &self.issuer).field("keys", &self.keys).finish_non_exhaustive()
    }
}

/// Checks the header of a token. The signature is checked later.
fn check_header(header: &Header) -> Result<(), TokenError> {
    if header.crit.is_some() {
        return Err(TokenError::invalid("the token has critical extensions that this server does not know (`crit`)"));
    }
    let types = ["jwt", "at+jwt", "application/at+jwt"];
    if header.typ.as_ref().is_some_and(|typ| !types.iter().any(|known| typ.eq_ignore_ascii_case(known))) {
        return Err(TokenError::invalid("the token is not an access token (`typ`)"));
    }
    Ok(())
}

/// Returns the principal of a token whose claims are verified.
fn principal_of(claims: Map<String, Value>) -> Result<Principal, TokenError> {
    if claims.contains_key("cnf") {
        return Err(TokenError::invalid(
            "the token is bound to a key (`cnf`), and this server accepts only bearer tokens",
        ));
    }
    let text = |name: &str| claims.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (Some(issuer), Some(subject)) = (text("iss"), text("sub")) else {
        return Err(TokenError::invalid("the token has no subject (`sub`)"));
    };
    // An issuer contains no `#`, so each subject has exactly one name.
    let principal = Principal::new(format!("{issuer}#{subject}"));
    let scopes: Vec<String> = ["scope", "scp"].iter().flat_map(|name| granted(claims.get(*name))).collect();
    Ok(principal.scopes(scopes).claims(claims))
}

/// Reads the scopes of a claim. The claim is a list, or a string in which spaces separate the scopes.
fn granted(claim: Option<&Value>) -> Vec<String> {
    let texts: Vec<&str> = match claim {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    texts.into_iter().flat_map(str::split_ascii_whitespace).map(str::to_owned).collect()
}

/// Returns the error for the client. The error says why the token is invalid, but repeats nothing from the token.
fn invalid(kind: &ErrorKind) -> TokenError {
    TokenError::invalid(match kind {
        ErrorKind::ExpiredSignature => return TokenError::Expired,
        ErrorKind::InvalidSignature => "the signature of the token is wrong",
        ErrorKind::InvalidAudience => "the token is for another audience",
        ErrorKind::InvalidIssuer => "the token is from another issuer",
        ErrorKind::ImmatureSignature => "the token is not valid yet",
        ErrorKind::MissingRequiredClaim(claim) => return TokenError::invalid(format!("the token lacks `{claim}`")),
        _ => "the token is not a signed JWT",
    })
}

#[cfg(test)]
mod tests;
