//! Builds the responses to rejected requests. Each response has a status and the header `WWW-Authenticate` (RFC 6750,
//! RFC 9728).

use http::{HeaderValue, StatusCode};

use crate::serve::http::refusal::RefusedRequest;

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

impl Challenge {
    /// Returns the refusal of a request. `scopes` are those that every request needs.
    pub(super) fn refuse(self, scopes: &[String], metadata_url: &str) -> RefusedRequest {
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
