//! Tokens that are signed: JWT, as RFC 9068 has them and most authorization servers issue them.

mod fetch;
mod key;
mod keys;

use std::{fmt, time::Duration};

use jsonwebtoken::{
    Algorithm, Header, Validation, crypto::aws_lc::DEFAULT_PROVIDER, decode, decode_header, errors::ErrorKind,
};
use serde_json::{Map, Value};

use self::key::Key;
pub use self::keys::{Jwks, JwksError};
use super::{BearerToken, TokenError, TokenFuture, TokenVerifier};
use crate::call::Principal;

/// Clocks differ by so much.
const LEEWAY: Duration = Duration::from_secs(30);
/// One that differs by more is wrong.
const MOST_LEEWAY: Duration = Duration::from_secs(10 * 60);

/// Verifies tokens that their issuer has signed: JSON Web Tokens (feature `jwt`).
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
/// A token is good if
///
/// - one of the issuer's keys has signed it, by an algorithm of that key (RS256 … PS512 with 2048 bits at least, ES256,
///   ES384, EdDSA; never `none`, and never a shared secret),
/// - `iss` is the issuer, and `aud` is or contains the URL of this server ([`audience`](Self::audience) for authorization
///   servers that cannot say so),
/// - `exp` is there and not past, and `nbf`, where it is there, is; give or take 30 seconds,
/// - `sub` is there,
/// - it is an access token, as far as `typ` tells, demands nothing more of its reader (`crit`), and is not bound to a key
///   of its client's (`cnf`), which could not be checked here.
///
/// Who is behind it is named `issuer#subject`; what was granted stands in `scope`, or in `scp`. Tools may read all claims.
#[must_use]
pub struct JwtVerifier {
    issuer: String,
    audiences: Vec<String>,
    leeway: Duration,
    keys: Jwks,
}

impl JwtVerifier {
    /// Tokens of this issuer, to the letter as it stands in them, signed with these keys.
    pub fn new(issuer: impl Into<String>, keys: Jwks) -> Self {
        // Elsewhere in the program the same crate may be built with another cryptography, and chooses none then.
        let _ = DEFAULT_PROVIDER.install_default();
        Self { issuer: issuer.into(), audiences: Vec::new(), leeway: LEEWAY, keys }
    }

    /// Takes tokens for this audience instead of those for the URL of the server; several times: for any of them. It must
    /// be this server's alone.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// By how much the issuer's clock may differ, in whole seconds. Default: 30 seconds; at most 10 minutes.
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway.min(MOST_LEEWAY);
        self
    }

    async fn principal(&self, token: BearerToken<'_>) -> Result<Principal, TokenError> {
        let header = decode_header(token.secret()).map_err(|error| told(error.kind()))?;
        check_header(&header)?;
        let validation = self.validation(token.resource(), header.alg);
        let mut error = TokenError::invalid("the token is signed with an unknown key");
        for key in self.keys.find(header.kid.as_deref(), header.alg).await? {
            match decode::<Map<String, Value>>(token.secret(), key.decoding(), &validation) {
                Ok(token) => return known(token.claims),
                Err(reason) => {
                    let is_of_another_key = matches!(reason.kind(), ErrorKind::InvalidSignature);
                    error = told(reason.kind());
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
            // With the slash at its end and without, as libraries of URLs write it.
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

/// What a token says of itself before its signature is looked at.
fn check_header(header: &Header) -> Result<(), TokenError> {
    if header.crit.is_some() {
        return Err(TokenError::invalid("the token demands what this server does not know (`crit`)"));
    }
    let types = ["jwt", "at+jwt", "application/at+jwt"];
    if header.typ.as_ref().is_some_and(|typ| !types.iter().any(|known| typ.eq_ignore_ascii_case(known))) {
        return Err(TokenError::invalid("the token is no access token (`typ`)"));
    }
    Ok(())
}

/// Who is behind a token with these claims, all of which hold.
fn known(claims: Map<String, Value>) -> Result<Principal, TokenError> {
    if claims.contains_key("cnf") {
        return Err(TokenError::invalid("the token is bound to a key, and this server takes bearer tokens"));
    }
    let text = |name: &str| claims.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (Some(issuer), Some(subject)) = (text("iss"), text("sub")) else {
        return Err(TokenError::invalid("the token names nobody (`sub`)"));
    };
    // An issuer has no fragment, so this is one name of one subject.
    let principal = Principal::new(format!("{issuer}#{subject}"));
    let scopes: Vec<String> = ["scope", "scp"].iter().flat_map(|name| granted(claims.get(*name))).collect();
    Ok(principal.scopes(scopes).claims(claims))
}

/// The scopes of a claim: a text of several with spaces between them, or a list.
fn granted(claim: Option<&Value>) -> Vec<String> {
    let texts: Vec<&str> = match claim {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    texts.into_iter().flat_map(str::split_ascii_whitespace).map(str::to_owned).collect()
}

/// What a client may know of why its token is not good: nothing that it says.
fn told(kind: &ErrorKind) -> TokenError {
    TokenError::invalid(match kind {
        ErrorKind::ExpiredSignature => return TokenError::Expired,
        ErrorKind::InvalidSignature => "the signature of the token is wrong",
        ErrorKind::InvalidAudience => "the token is for another audience",
        ErrorKind::InvalidIssuer => "the token is of another issuer",
        ErrorKind::ImmatureSignature => "the token is not valid yet",
        ErrorKind::MissingRequiredClaim(claim) => return TokenError::invalid(format!("the token lacks `{claim}`")),
        _ => "the token is no signed JWT",
    })
}

#[cfg(test)]
mod tests;
