//! What the service has answered, as the result of a call and as its step is recorded.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    credentials::Credentials,
    exchange::ApiResponse,
    failure::{ApiFailure, html_title},
    table::ApiOperation,
};
use crate::wire::{
    protocol::{result::CallToolResult, text::cut},
    schema::OutputSchema,
};

/// How much of an answer that does not fit is shown, in characters.
const SHOWN: usize = 2_000;

/// An answer as the record of a call keeps it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ApiAnswer {
    Structured(String),
    Text(String),
    Failed(String),
}

impl ApiAnswer {
    /// Reads what came of a request. `output` is the schema of the answer, if it is an object.
    pub(super) fn of(
        sent: Result<ApiResponse, ApiFailure>,
        operation: &ApiOperation,
        output: Option<&OutputSchema>,
        credentials: &Credentials,
    ) -> Self {
        match sent {
            Ok(received) => Self::read(received, operation, output, credentials),
            Err(failure) => Self::Failed(failure.explained(operation, credentials)),
        }
    }

    fn read(
        received: ApiResponse,
        operation: &ApiOperation,
        output: Option<&OutputSchema>,
        credentials: &Credentials,
    ) -> Self {
        let ApiOperation { method, path, .. } = operation;
        if received.is_documented_redirect(operation) {
            let location = received.location.unwrap_or_default();
            let text = format!("The service redirects to `{location}`, which is not followed.");
            return Self::Text(credentials.hide_in_result(&text));
        }
        let ApiResponse { status, media_type, body, .. } = received;
        let wrong = |problem: String| {
            Self::Failed(format!("`{method} {path}`: the service has answered {status}, but {problem}"))
        };
        let expected = || format!("instead of {}", if output.is_some() { "JSON" } else { operation.accept });
        let body = match String::from_utf8(body) {
            Ok(body) => body,
            Err(error) => {
                let length = error.as_bytes().len();
                return wrong(format!("with {length} bytes of `{media_type}`, which is not text"));
            }
        };
        let body = body.trim();
        if body.is_empty() {
            return match output {
                Some(_) => wrong(format!("with nothing, {}", expected())),
                None => Self::Text(format!("Done: the service has answered {status} without content.")),
            };
        }
        // Some services send JSON as HTML.
        let is_expected = is_accepted(operation.accept, &media_type) && !(output.is_some() && body.starts_with('<'));
        if media_type.contains("html") && !is_expected {
            return wrong(format!("with {}, {}", credentials.quote(&html_title(body.as_bytes())), expected()));
        }
        let Some(output) = output else { return Self::Text(credentials.hide_in_result(body)) };
        if let Err(error) = serde_json::from_str::<&RawValue>(body) {
            return wrong(format!("what it has answered is not JSON: {error}: {}", credentials.quote(body)));
        }
        match output.violations(body) {
            None => {
                let shown = credentials.hide_in_result(body);
                // A credential can be a number.
                if serde_json::from_str::<&RawValue>(&shown).is_err() {
                    return wrong(format!("its JSON has a credential that is not text: {}", credentials.quote(body)));
                }
                Self::Structured(shown)
            }
            Some(violations) => wrong(format!(
                "its JSON is not what its document describes:\n{}\nIts JSON, which may still help:\n{}",
                cut(&credentials.hide(&violations), SHOWN),
                cut(&credentials.hide(body), SHOWN)
            )),
        }
    }

    /// Returns the length in bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Structured(text) | Self::Text(text) | Self::Failed(text) => text.len(),
        }
    }

    pub(super) fn into_result(self) -> CallToolResult {
        match self {
            Self::Structured(json) => CallToolResult { structured: Some(json), ..CallToolResult::default() },
            Self::Text(text) => CallToolResult::default().text(text),
            Self::Failed(text) => CallToolResult::error(text),
        }
    }
}

/// Returns whether a media type, without parameters, is among those of `accept`, such as `text/html; charset=utf-8` or
/// `text/*`.
fn is_accepted(accept: &str, media_type: &str) -> bool {
    let is_in = |range: &str| match range.split_once('/') {
        Some(("*", "*")) => true,
        Some((kind, "*")) => media_type.split('/').next() == Some(kind),
        _ => range == media_type,
    };
    let without_parameters = |range: &str| range.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    accept.split(',').map(without_parameters).any(|range| is_in(&range))
}

#[cfg(test)]
mod tests {
    use super::is_accepted;

    #[test]
    fn media_types_are_compared_without_parameters_and_case() {
        for accept in ["text/html;charset=UTF-8", "text/csv, Text/HTML", "text/*", "*/*"] {
            assert!(is_accepted(accept, "text/html"), "{accept}");
        }
        for accept in ["application/json", "application/*", "text/htm", "application/json, text/xml; q=0.5"] {
            assert!(!is_accepted(accept, "text/html"), "{accept}");
        }
    }
}
