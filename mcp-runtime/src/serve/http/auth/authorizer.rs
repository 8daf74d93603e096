//! Reads the bearer token of a request, passes it to the verifier, and checks the scopes that every request needs.

use std::{fmt, sync::Arc};

use http::{HeaderMap, header::AUTHORIZATION};

use super::{
    authorization::Authorization,
    challenge::Challenge,
    url::{Url, well_known},
    verifier::{BearerToken, TokenError, TokenVerifier},
};
use crate::{
    base::{error::chain, report::report_limited},
    engine::call::Principal,
    serve::http::refusal::RefusedRequest,
    wire::protocol::error::RpcError,
};

/// The longest accepted token, in bytes.
const MAX_TOKEN_BYTES: usize = 16 * 1024;

/// The checks that an [`Authorization`] requires for each request, prepared when the server is built.
pub(crate) struct Authorizer {
    pub(super) resource: String,
    /// The display name of the server.
    pub(super) name: String,
    /// The URLs of the authorization servers that issue tokens for this server.
    pub(super) servers: Vec<String>,
    verifier: Arc<dyn TokenVerifier>,
    pub(super) scopes: Vec<String>,
    implied: Vec<(String, Vec<String>)>,
    pub(super) metadata_url: String,
    /// The path of the well-known metadata URL.
    pub(super) metadata_path: String,
}

/// The content of the `Authorization` header.
#[derive(Debug, PartialEq)]
enum Presented<'a> {
    Token(&'a str),
    /// There is no header, or its scheme is not `Bearer`.
    Nothing,
    /// There are several headers, or no valid token follows the scheme `Bearer`.
    Malformed,
}

impl Authorizer {
    /// Prepares the values that all requests share. For each mistake in the author's settings, adds a sentence to
    /// `problems`.
    pub(crate) fn new(authorization: Authorization, name: &str, problems: &mut Vec<String>) -> Self {
        problems.extend(authorization.problems());
        let (well_known, metadata_path) = well_known(&authorization.resource);
        let Authorization { resource, servers, verifier, scopes, implied, metadata_url, .. } = authorization;
        let metadata_url = metadata_url.unwrap_or(well_known);
        Self { resource, name: name.to_owned(), servers, verifier, scopes, implied, metadata_url, metadata_path }
    }

    /// Returns the URL of the endpoint, unless it names the local machine.
    pub(crate) fn public_resource(&self) -> Option<&str> {
        Url::read(&self.resource).ok().filter(|url| !url.is_of_this_machine()).map(|_| &*self.resource)
    }

    /// Returns the principal of a request with these headers.
    ///
    /// # Errors
    /// Returns the reason why the request is rejected.
    pub(crate) async fn admit(&self, headers: &HeaderMap) -> Result<Principal, RefusedRequest> {
        let token = match presented(headers) {
            Presented::Token(token) => token,
            Presented::Nothing => return Err(self.refuse(Challenge::NoToken)),
            Presented::Malformed => return Err(self.refuse(Challenge::Malformed)),
        };
        let principal = match self.verifier.verify(BearerToken::new(token, &self.resource)).await {
            Ok(principal) => self.with_implied(principal),
            Err(TokenError::Unavailable { retry_after, source }) => {
                report_limited!("tokens cannot be verified: {}", chain(&*source));
                return Err(RpcError::unverified(retry_after).into());
            }
            Err(error) => return Err(self.refuse(Challenge::Invalid(error.to_string()))),
        };
        if self.scopes.iter().all(|scope| principal.has_scope(scope)) {
            Ok(principal)
        } else {
            Err(self.refuse(Challenge::Insufficient))
        }
    }

    fn refuse(&self, challenge: Challenge) -> RefusedRequest {
        challenge.refuse(&self.scopes, &self.metadata_url)
    }

    /// Adds all scopes that the principal's scopes imply.
    fn with_implied(&self, principal: Principal) -> Principal {
        let mut all: Vec<String> = principal.granted().map(str::to_owned).collect();
        let granted = all.len();
        let mut next = 0;
        while let Some(scope) = all.get(next).cloned() {
            for (_, implied) in self.implied.iter().filter(|(implying, _)| *implying == scope) {
                for scope in implied {
                    if !all.contains(scope) {
                        all.push(scope.clone());
                    }
                }
            }
            next += 1;
        }
        if all.len() == granted { principal } else { principal.scopes(all) }
    }
}

impl fmt::Debug for Authorizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorizer").field("resource", &self.resource).finish_non_exhaustive()
    }
}

fn presented(headers: &HeaderMap) -> Presented<'_> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Presented::Nothing };
    let Ok(text) = value.to_str() else { return Presented::Malformed };
    if values.next().is_some() {
        return Presented::Malformed;
    }
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Presented::Nothing;
    }
    let token = token.trim_start_matches(' ');
    if is_token(token) { Presented::Token(token) } else { Presented::Malformed }
}

/// Checks the `b64token` syntax of RFC 6750.
fn is_token(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);
    !body.is_empty() && text.len() <= MAX_TOKEN_BYTES && body.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, value.parse().unwrap())).collect()
    }

    #[test]
    fn accepts_one_b64token_after_the_bearer_scheme() {
        for text in ["Bearer a.b-c_d~e+f/g==", "bearer a.b-c_d~e+f/g==", "BEARER   a.b-c_d~e+f/g=="] {
            assert_eq!(presented(&headers(&[text])), Presented::Token("a.b-c_d~e+f/g=="), "{text}");
        }
        for values in [&[][..], &["Basic YTpi"], &["Digest username=\"a\""], &["x"], &[""]] {
            assert_eq!(presented(&headers(values)), Presented::Nothing, "{values:?}");
        }
        let long = format!("Bearer {}", "a".repeat(MAX_TOKEN_BYTES + 1));
        for values in [
            &["Bearer"][..],
            &["Bearer "],
            &["Bearer a b"],
            &["Bearer a,b"],
            &["Bearer ="],
            &["Bearer a=b"],
            &["Bearer \"a\""],
            &["Bearer a", "Bearer a"],
            &["Bearer a", "Basic YTpi"],
            &[&long],
        ] {
            assert_eq!(presented(&headers(values)), Presented::Malformed, "{values:?}");
        }
    }
}
