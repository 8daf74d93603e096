//! The token of a request: read, verified, held against what every request needs.

use std::{fmt, sync::Arc};

use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, header::AUTHORIZATION};

use super::{Authorization, BearerToken, TokenError, TokenVerifier, challenge::Challenge, metadata};
use crate::{call::Principal, tool::registry::Registry};

/// A longer token is none.
const LONGEST: usize = 16 * 1024;

/// What an [`Authorization`] has become when the server was built.
pub(crate) struct Admission {
    resource: String,
    verifier: Arc<dyn TokenVerifier>,
    pub(super) scopes: Vec<String>,
    implied: Vec<(String, Vec<String>)>,
    pub(super) metadata_url: String,
    /// The path of the well-known place.
    pub(super) metadata_path: String,
    /// The document that stands there.
    pub(super) metadata: Bytes,
}

/// What stands in `Authorization`.
#[derive(Debug, PartialEq)]
enum Presented<'a> {
    Token(&'a str),
    /// No bearer token, but perhaps something else.
    Nothing,
    /// Several headers, or no token behind the scheme.
    Malformed,
}

impl Admission {
    /// Everything that does not change with the requests; what is wrong becomes a sentence in `problems`.
    pub(crate) fn new(
        authorization: Authorization,
        registry: &Registry,
        name: &str,
        problems: &mut Vec<String>,
    ) -> Self {
        problems.extend(authorization.problems());
        let (well_known, metadata_path) = metadata::places(&authorization.resource);
        let metadata = metadata::document(&authorization, registry, name);
        let Authorization { resource, verifier, scopes, implied, metadata_url, .. } = authorization;
        let metadata_url = metadata_url.unwrap_or(well_known);
        Self { resource, verifier, scopes, implied, metadata_url, metadata_path, metadata }
    }

    /// Who is behind a request with these headers.
    ///
    /// # Errors
    /// What is answered instead.
    pub(crate) async fn admit(&self, headers: &HeaderMap) -> Result<Principal, Response> {
        let token = match presented(headers) {
            Presented::Token(token) => token,
            Presented::Nothing => return Err(Challenge::NoToken.answer(self)),
            Presented::Malformed => return Err(Challenge::Malformed.answer(self)),
        };
        let principal = match self.verifier.verify(BearerToken::new(token, &self.resource)).await {
            Ok(principal) => self.with_implied(principal),
            Err(TokenError::Unavailable { retry_after, source }) => {
                return Err(Challenge::Unavailable { retry_after, source }.answer(self));
            }
            Err(error) => return Err(Challenge::Invalid(error.to_string()).answer(self)),
        };
        if self.scopes.iter().all(|scope| principal.has_scope(scope)) {
            Ok(principal)
        } else {
            Err(Challenge::Insufficient.answer(self))
        }
    }

    /// The same with all scopes that follow from those it has.
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

impl fmt::Debug for Admission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admission").field("resource", &self.resource).finish_non_exhaustive()
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

/// `b64token` of RFC 6750.
fn is_token(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);
    !body.is_empty() && text.len() <= LONGEST && body.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, value.parse().unwrap())).collect()
    }

    #[test]
    fn a_bearer_token_is_one_word_behind_its_scheme() {
        for text in ["Bearer a.b-c_d~e+f/g==", "bearer a.b-c_d~e+f/g==", "BEARER   a.b-c_d~e+f/g=="] {
            assert_eq!(presented(&headers(&[text])), Presented::Token("a.b-c_d~e+f/g=="), "{text}");
        }
        for values in [&[][..], &["Basic YTpi"], &["Digest username=\"a\""], &["x"], &[""]] {
            assert_eq!(presented(&headers(values)), Presented::Nothing, "{values:?}");
        }
        let long = format!("Bearer {}", "a".repeat(LONGEST + 1));
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
