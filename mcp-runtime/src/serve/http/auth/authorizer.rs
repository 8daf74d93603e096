//! Reads the bearer token of a request, passes it to the verifier, and checks the scopes that every request needs. The
//! response to a rejected request has a status and the header `WWW-Authenticate` (RFC 6750, RFC 9728).

use std::fmt;

use http::{HeaderMap, HeaderValue, StatusCode, header::AUTHORIZATION};

use super::{
    authorization::Authorization,
    url::{Url, well_known},
    verifier::{BearerToken, TokenError},
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
    pub(super) settings: Authorization,
    /// The display name of the server.
    pub(super) name: String,
    pub(super) metadata_url: String,
    /// The path of the well-known metadata URL.
    pub(super) metadata_path: String,
}

/// The reason why a request is rejected.
#[derive(Debug, PartialEq)]
pub(super) enum Challenge {
    /// There is no header, or its scheme is not `Bearer`.
    NoToken,
    /// There are several headers, or no valid token follows the scheme `Bearer`.
    Malformed,
    Invalid(String),
    /// The token lacks a scope that every request needs.
    Insufficient,
}

impl Authorizer {
    /// Prepares the values that all requests share. For each mistake in the author's settings, adds a sentence to
    /// `problems`.
    pub(crate) fn new(mut settings: Authorization, name: &str, problems: &mut Vec<String>) -> Self {
        problems.extend(settings.problems());
        let (well_known, metadata_path) = well_known(&settings.resource);
        let metadata_url = settings.metadata_url.take().unwrap_or(well_known);
        Self { settings, name: name.to_owned(), metadata_url, metadata_path }
    }

    /// Returns the URL of the endpoint, unless it names the local machine.
    pub(crate) fn public_resource(&self) -> Option<&str> {
        let resource = &self.settings.resource;
        Url::read(resource).ok().filter(|url| !url.is_of_this_machine()).map(|_| &**resource)
    }

    /// Returns the principal of a request with these headers.
    ///
    /// # Errors
    /// Returns the reason why the request is rejected.
    pub(crate) async fn admit(&self, headers: &HeaderMap) -> Result<Principal, RefusedRequest> {
        let token = presented(headers).map_err(|challenge| self.refuse(challenge))?;
        let settings = &self.settings;
        let principal = match settings.verifier.verify(BearerToken::new(token, &settings.resource)).await {
            Ok(principal) => self.with_implied(principal),
            Err(TokenError::Unavailable { retry_after, source }) => {
                report_limited!("tokens cannot be verified: {}", chain(&*source));
                return Err(RpcError::unverified(retry_after).into());
            }
            Err(error) => return Err(self.refuse(Challenge::Invalid(error.to_string()))),
        };
        if settings.scopes.iter().all(|scope| principal.has_scope(scope)) {
            Ok(principal)
        } else {
            Err(self.refuse(Challenge::Insufficient))
        }
    }

    fn refuse(&self, challenge: Challenge) -> RefusedRequest {
        challenge.refuse(&self.settings.scopes, &self.metadata_url)
    }

    /// Adds all scopes that the principal's scopes imply.
    fn with_implied(&self, principal: Principal) -> Principal {
        let mut all: Vec<String> = principal.granted().map(str::to_owned).collect();
        let granted = all.len();
        let mut next = 0;
        while let Some(scope) = all.get(next).cloned() {
            for (_, implied) in self.settings.implied.iter().filter(|(implying, _)| *implying == scope) {
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

impl Challenge {
    /// Returns the refusal of a request. `scopes` are those that every request needs.
    fn refuse(self, scopes: &[String], metadata_url: &str) -> RefusedRequest {
        let (status, reason, error) = match self {
            Self::NoToken => (StatusCode::UNAUTHORIZED, "send a token: `Authorization: Bearer …`".to_owned(), None),
            Self::Malformed => (
                StatusCode::BAD_REQUEST,
                "the request must have one `Authorization` header with one token: `Authorization: Bearer …`".to_owned(),
                Some("invalid_request"),
            ),
            Self::Invalid(reason) => (StatusCode::UNAUTHORIZED, reason, Some("invalid_token")),
            Self::Insufficient => {
                let reason = format!("the token does not grant `{}`", scopes.join(" "));
                (StatusCode::FORBIDDEN, reason, Some("insufficient_scope"))
            }
        };
        let described = error.map(|error| (error, &*reason));
        let challenge = challenge(described, scopes, Some(metadata_url));
        // The body repeats the reason, for clients that do not read the header.
        RefusedRequest::of(status, reason).challenge(challenge)
    }
}

/// Returns the value of `WWW-Authenticate`.
pub(super) fn challenge(
    error: Option<(&str, &str)>,
    scopes: &[String],
    metadata_url: Option<&str>,
) -> Option<HeaderValue> {
    let mut params = Vec::new();
    if let Some((error, description)) = error {
        params.push(format!("error=\"{error}\""));
        params.push(format!("error_description=\"{}\"", quotable(description)));
    }
    if !scopes.is_empty() {
        params.push(format!("scope=\"{}\"", scopes.join(" ")));
    }
    params.extend(metadata_url.map(|url| format!("resource_metadata=\"{url}\"")));
    let text = if params.is_empty() { "Bearer".to_owned() } else { format!("Bearer {}", params.join(", ")) };
    HeaderValue::from_str(&text).ok()
}

/// Replaces all characters that are not allowed in an `error_description` (RFC 6750, section 3): spaces and visible
/// ASCII characters are allowed, except `"` and `\`. Typographic characters become the ASCII characters that people
/// write instead of them.
fn quotable(text: &str) -> String {
    let mut quotable = String::new();
    for c in text.chars().take(256) {
        match c {
            '"' | '\\' | '‘' | '’' | '“' | '”' => quotable.push('\''),
            '…' => quotable.push_str("..."),
            '–' | '—' => quotable.push('-'),
            ' '..='~' => quotable.push(c),
            c if c.is_whitespace() => quotable.push(' '),
            _ => quotable.push('?'),
        }
    }
    quotable
}

impl fmt::Debug for Authorizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorizer").field("resource", &self.settings.resource).finish_non_exhaustive()
    }
}

/// Returns the token in the `Authorization` header.
pub(super) fn presented(headers: &HeaderMap) -> Result<&str, Challenge> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(Challenge::NoToken)?;
    let text = value.to_str().ok().filter(|_| values.next().is_none()).ok_or(Challenge::Malformed)?;
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Challenge::NoToken);
    }
    Some(token.trim_start_matches(' ')).filter(|token| is_token(token)).ok_or(Challenge::Malformed)
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
            assert_eq!(presented(&headers(&[text])), Ok("a.b-c_d~e+f/g=="), "{text}");
        }
        for values in [&[][..], &["Basic YTpi"], &["Digest username=\"a\""], &["x"], &[""]] {
            assert_eq!(presented(&headers(values)), Err(Challenge::NoToken), "{values:?}");
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
            assert_eq!(presented(&headers(values)), Err(Challenge::Malformed), "{values:?}");
        }
    }

    #[test]
    fn a_description_has_only_the_characters_of_rfc_6750() {
        let text = quotable("the token “a\"b\\c…” – it’s\n\tused—up: é\u{0}\u{7f}");
        assert_eq!(text, "the token 'a'b'c...' - it's  used-up: ???");
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'!' | b'#'..=b'[' | b']'..=b'~')));
    }
}
