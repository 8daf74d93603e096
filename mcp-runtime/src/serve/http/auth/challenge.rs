//! Builds the responses to rejected requests. Each response has a status and the header `WWW-Authenticate` (RFC 6750,
//! RFC 9728).

use std::{error::Error, time::Duration};

use axum::response::Response;
use http::{HeaderValue, StatusCode, header::WWW_AUTHENTICATE};

use super::Authorizer;
use crate::{
    base::error::chain,
    serve::http::{guard::RefusedRequest, reply},
    wire::protocol::{error::RpcError, frame::Frame},
};

/// The reason why a request is rejected.
pub(super) enum Challenge {
    NoToken,
    Malformed,
    Invalid(String),
    /// The token lacks a scope that every request needs.
    Insufficient,
    Unavailable {
        retry_after: Duration,
        source: Box<dyn Error + Send + Sync>,
    },
}

impl Challenge {
    pub(super) fn refuse(self, admission: &Authorizer) -> RefusedRequest {
        let scopes = admission.scopes.iter().map(String::as_str);
        let (status, reason, error) = match self {
            Self::NoToken => (StatusCode::UNAUTHORIZED, "send a token: `Authorization: Bearer …`".to_owned(), None),
            Self::Malformed => (
                StatusCode::BAD_REQUEST,
                "the request must have one `Authorization` header with one token: `Authorization: Bearer …`".to_owned(),
                Some("invalid_request"),
            ),
            Self::Invalid(reason) => (StatusCode::UNAUTHORIZED, reason, Some("invalid_token")),
            Self::Insufficient => {
                let reason = format!("the token does not grant `{}`", admission.scopes.join(" "));
                (StatusCode::FORBIDDEN, reason, Some("insufficient_scope"))
            }
            Self::Unavailable { retry_after, source } => return unavailable(retry_after, &*source),
        };
        let described = error.map(|error| (error, &*reason));
        let challenge = challenge(described, scopes, Some(&admission.metadata_url));
        // The body repeats the reason, for clients that do not read the header.
        RefusedRequest::new(status, RpcError::invalid_request(reason)).challenge(challenge)
    }
}

/// The scopes that a rejected call needs. The response's extensions hold this value until [`challenged`] reads it.
#[derive(Clone)]
struct NeededScopes(Vec<String>);

/// Reads the needed scopes from the error `frame` of a rejected call, and adds them to the response's extensions.
pub(in crate::serve::http) fn name_scopes(response: &mut Response, frame: &Frame) {
    if let Ok(needed) = serde_json::from_value::<Vec<String>>(reply::error_data(frame)["requiredScopes"].take()) {
        need_scopes(response, &needed);
    }
}

/// Adds the scopes that a rejected call needs to the extensions of its response.
pub(in crate::serve::http) fn need_scopes(response: &mut Response, needed: &[impl AsRef<str>]) {
    if !needed.is_empty() {
        let needed = needed.iter().map(|scope| scope.as_ref().to_owned()).collect();
        response.extensions_mut().insert(NeededScopes(needed));
    }
}

/// If a response rejects a call for missing scopes, adds a challenge with all scopes that the call needs.
pub(in crate::serve::http) fn challenged(admission: Option<&Authorizer>, mut response: Response) -> Response {
    let Some(NeededScopes(needed)) = response.extensions_mut().remove() else { return response };
    let mut scopes: Vec<String> = admission.map(|admission| admission.scopes.clone()).unwrap_or_default();
    for scope in needed {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    let described = ("insufficient_scope", "the token does not grant what the tool needs");
    let metadata = admission.map(|admission| &*admission.metadata_url);
    if let Some(challenge) = challenge(Some(described), scopes.iter().map(String::as_str), metadata) {
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

fn unavailable(retry_after: Duration, source: &dyn Error) -> RefusedRequest {
    crate::base::report::report_limited!("tokens cannot be verified: {}", chain(source));
    RpcError::unverified(retry_after).into()
}

/// Returns the value of `WWW-Authenticate`.
fn challenge<'a>(
    error: Option<(&str, &str)>,
    scopes: impl Iterator<Item = &'a str>,
    metadata_url: Option<&str>,
) -> Option<HeaderValue> {
    let mut params = Vec::new();
    if let Some((error, description)) = error {
        params.push(format!("error=\"{error}\""));
        params.push(format!("error_description=\"{}\"", quotable(description)));
    }
    let scopes: Vec<_> = scopes.collect();
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

#[cfg(test)]
mod tests {
    use super::quotable;

    #[test]
    fn a_description_has_only_the_characters_of_rfc_6750() {
        let text = quotable("the token “a\"b\\c…” – it’s\n\tused—up: é\u{0}\u{7f}");
        assert_eq!(text, "the token 'a'b'c...' - it's  used-up: ???");
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'!' | b'#'..=b'[' | b']'..=b'~')));
    }
}
