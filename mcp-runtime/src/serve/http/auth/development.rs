//! Tokens of development mode: signed by the command `dev`, for any principal that its user chooses.
//!
//! A token is a JWT (RFC 7519) with HS256, so that the tools for such tokens can read it. Its key is random, and only the
//! command and its child processes know it.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{header::AUTHORIZATION, request::Parts};
use serde::{Deserialize, Serialize};

use super::{
    authorization::Authorization,
    authorizer::presented,
    verifier::{BearerToken, TokenError, TokenFuture, TokenVerifier},
};
use crate::{
    base::{
        clock::since_1970,
        development::{TOKEN_KEY, variable},
        mac,
    },
    engine::call::Principal,
};

/// `{"alg":"HS256","typ":"JWT"}`. A token with another header is not one of these, so no other algorithm is tried.
const HEADER: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

static VERIFIER: LazyLock<Option<DevelopmentVerifier>> = LazyLock::new(|| {
    let key = variable(TOKEN_KEY).filter(|key| !key.is_empty())?;
    Some(DevelopmentVerifier { key: key.into_bytes() })
});

#[derive(Serialize, Deserialize)]
struct DevelopmentClaims {
    sub: String,
    /// The scopes, with spaces between them (RFC 8693).
    #[serde(default)]
    scope: String,
    /// Seconds since 1970.
    exp: u64,
}

/// Signs a token for a principal with these scopes. It expires at this time since 1970.
pub(crate) fn sign<S: AsRef<str>>(key: &str, name: &str, scopes: &[S], expires: Duration) -> String {
    let scope = scopes.iter().map(S::as_ref).collect::<Vec<_>>().join(" ");
    let claims = DevelopmentClaims { sub: name.to_owned(), scope, exp: expires.as_secs() };
    let payload = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&claims).unwrap_or_default());
    let signed = format!("{HEADER}.{payload}");
    let signature = mac::code(key.as_bytes(), &[signed.as_bytes()]);
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// Accepts development tokens, if the process has a key, and all tokens that the author's own verifier accepts.
pub(crate) fn with_development_tokens(mut authorization: Authorization) -> Authorization {
    if let Some(verifier) = &*VERIFIER {
        authorization.verifier = Arc::new(DevelopmentFirst { verifier, otherwise: authorization.verifier });
    }
    authorization
}

/// Finds the principal of a request to a server without authorization, if the request has a development token.
pub(super) fn identify(parts: &mut Arc<Parts>) {
    let Some(verifier) = &*VERIFIER else { return };
    let principal = presented(&parts.headers).ok().and_then(|token| verifier.principal(token, since_1970()).ok());
    if let Some(principal) = principal {
        let parts = Arc::make_mut(parts);
        parts.headers.remove(AUTHORIZATION);
        parts.extensions.insert(principal);
    }
}

struct DevelopmentVerifier {
    key: Vec<u8>,
}

impl DevelopmentVerifier {
    fn principal(&self, token: &str, now: Duration) -> Result<Principal, TokenError> {
        let unsigned = || TokenError::invalid("the token is not a development token of this session");
        let (signed, signature) = token.rsplit_once('.').ok_or_else(unsigned)?;
        let (header, payload) = signed.split_once('.').ok_or_else(unsigned)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| unsigned())?;
        let expected = mac::code(&self.key, &[signed.as_bytes()]);
        let differ = expected.iter().zip(&signature).fold(0, |differ, (a, b)| differ | (a ^ b));
        if header != HEADER || signature.len() != expected.len() || differ != 0 {
            return Err(unsigned());
        }
        let payload = URL_SAFE_NO_PAD.decode(payload).map_err(|_| unsigned())?;
        let DevelopmentClaims { sub, scope, exp } = serde_json::from_slice(&payload).map_err(|_| unsigned())?;
        if exp <= now.as_secs() {
            return Err(TokenError::Expired);
        }
        Ok(Principal::new(sub).scopes(scope.split_ascii_whitespace()))
    }
}

/// Tries the development verifier first, so that a session needs no authorization server.
struct DevelopmentFirst {
    verifier: &'static DevelopmentVerifier,
    otherwise: Arc<dyn TokenVerifier>,
}

impl TokenVerifier for DevelopmentFirst {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
        match self.verifier.principal(token.secret(), since_1970()) {
            Err(TokenError::Invalid(_)) => self.otherwise.verify(token),
            found => Box::pin(async { found }),
        }
    }

    fn issuer(&self) -> Option<&str> {
        self.otherwise.issuer()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1_800_000_000);
    const HOUR: Duration = Duration::from_secs(3600);

    fn verifier(key: &str) -> DevelopmentVerifier {
        DevelopmentVerifier { key: key.as_bytes().to_vec() }
    }

    #[test]
    fn a_signed_token_names_its_principal_and_scopes() {
        let token = sign("key", "ann", &["flights:read", "flights:book"], NOW + HOUR);
        let ann = verifier("key").principal(&token, NOW).unwrap();
        assert_eq!(ann, Principal::new("ann").scopes(["flights:read", "flights:book"]));
        let anonymous = sign("key", "ann", &[""; 0], NOW + HOUR);
        assert_eq!(verifier("key").principal(&anonymous, NOW).unwrap().granted().count(), 0);
    }

    #[test]
    fn rejects_another_key_an_expired_token_and_any_change() {
        let token = sign("key", "ann", &["a"], NOW + HOUR);
        assert!(matches!(verifier("other").principal(&token, NOW), Err(TokenError::Invalid(_))));
        assert!(matches!(verifier("key").principal(&token, NOW + HOUR), Err(TokenError::Expired)));
        for at in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            assert!(verifier("key").principal(&changed, NOW).is_err(), "byte {at}");
        }
        for text in ["", ".", "..", "a.b.c"] {
            assert!(verifier("key").principal(text, NOW).is_err(), "{text}");
        }
    }

    /// Signed with `hmac` and `hashlib` of Python.
    #[test]
    fn a_token_is_signed_as_others_sign_it() {
        let token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbm4iLCJzY29wZSI6ImEiLCJleHAiOjE4MDAwMDM2MDB9.\
                     smxrPmsmaQcPvjpJFrWHfGS_wWL1e4obQp-TQlhbMBw";
        assert_eq!(sign("secret", "ann", &["a"], NOW + HOUR), token);
        assert_eq!(verifier("secret").principal(token, NOW).unwrap(), Principal::new("ann").scopes(["a"]));
    }
}
