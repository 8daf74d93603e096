//! Why a call has failed, as a model reads it: what happened, what the service said, and what to do.

use std::time::Duration;

use serde_json::Value;

use super::{credentials::Credentials, exchange::ApiResponse, table::ApiOperation};

pub(super) enum ApiFailure {
    /// A credential is missing.
    Credential(String),
    /// The service has answered with an error.
    Refused {
        received: Box<ApiResponse>,
        retry_after: Option<Duration>,
        tries: u32,
    },
    /// The connection was not made.
    Unreachable(String),
    /// The connection was lost before the answer was complete.
    Lost(String),
    TimedOut(Duration),
    /// The answer is longer than is read.
    TooLong {
        longest: usize,
        length: Option<u64>,
    },
}

impl ApiOperation {
    /// Returns whether two requests have the same effect as one.
    pub(super) fn is_idempotent(&self) -> bool {
        !matches!(self.method, "POST" | "PATCH")
    }

    /// Returns whether no request without a credential is allowed.
    pub(super) fn needs_credential(&self) -> bool {
        !self.security.is_empty() && self.security.iter().all(|schemes| !schemes.is_empty())
    }

    /// Returns whether the operation changes nothing.
    pub(super) fn is_read_only(&self) -> bool {
        matches!(self.method, "GET" | "HEAD" | "OPTIONS")
    }
}

impl ApiFailure {
    /// Returns whether the request can be sent again, and may then succeed.
    pub(super) fn is_temporary(&self, operation: &ApiOperation) -> bool {
        match self {
            // The service has not run the request, and says so.
            Self::Refused { received, retry_after, .. } => match received.status.as_u16() {
                429 => true,
                503 if retry_after.is_some() => true,
                500 | 502..=504 => operation.is_idempotent(),
                _ => false,
            },
            Self::Unreachable(_) => true,
            Self::Lost(_) => operation.is_idempotent(),
            Self::Credential(_) | Self::TimedOut(_) | Self::TooLong { .. } => false,
        }
    }

    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Returns the text for the model.
    pub(super) fn explained(&self, operation: &ApiOperation, credentials: &Credentials) -> String {
        let ApiOperation { method, path, .. } = operation;
        // What a request that may have arrived has done is not known.
        let effects = if operation.is_idempotent() {
            "try again later"
        } else {
            "the request may have had an effect, so check that before you try again"
        };
        match self {
            Self::Credential(problem) => problem.clone(),
            Self::Unreachable(problem) => {
                format!("`{method} {path}`: the service cannot be reached: {problem}; try again later")
            }
            Self::Lost(problem) => format!("`{method} {path}`: the connection was lost: {problem}; {effects}"),
            Self::TimedOut(limit) => format!("`{method} {path}`: no answer within {limit:?}; {effects}"),
            Self::TooLong { longest, length } => {
                let length = match length {
                    Some(length) => format!("has {}", bytes(*length)),
                    None => format!("has more than {}", bytes(*longest as u64)),
                };
                format!(
                    "`{method} {path}`: the answer {length}, and at most {} are read; ask for less, for example with a \
                     smaller page or a narrower filter",
                    bytes(*longest as u64)
                )
            }
            Self::Refused { received, retry_after, tries } => {
                let status = received.status;
                let said = match said(received) {
                    said if said.is_empty() => String::new(),
                    said => format!(": {}", credentials.quote(&said)),
                };
                let often = if *tries > 1 { format!(" in {tries} tries") } else { String::new() };
                let advice = self.advice(operation, credentials, *retry_after, effects);
                format!("`{method} {path}`: the service has answered {status}{often}{said}; {advice}")
            }
        }
    }

    fn advice(
        &self,
        operation: &ApiOperation,
        credentials: &Credentials,
        retry_after: Option<Duration>,
        effects: &str,
    ) -> String {
        let Self::Refused { received, .. } = self else { return String::new() };
        match received.status.as_u16() {
            300..=399 => match &received.location {
                Some(location) => {
                    format!("it redirects to `{}`, which is not followed", credentials.quote(location))
                }
                None => "it redirects to nowhere".to_owned(),
            },
            401 => match operation.security.iter().all(|schemes| schemes.is_empty()) {
                true => "it wants a credential, and the document of the service does not say so".to_owned(),
                false => format!(
                    "the credential is missing or rejected, which only the operator of this server can correct: {}",
                    credentials.variables(operation)
                ),
            },
            403 => "the credential of this server does not allow this".to_owned(),
            404 | 410 => "check the ids and names in the arguments".to_owned(),
            409 => "the state of the service does not allow this; look at it before you try again".to_owned(),
            429 | 503 if retry_after.is_some() => {
                format!("try again in {} seconds", retry_after.unwrap_or_default().as_secs().max(1))
            }
            429 => "there are too many requests; try again later".to_owned(),
            400 | 405..=499 => "correct the arguments".to_owned(),
            _ => effects.to_owned(),
        }
    }
}

/// Returns what the service says about the error: the member of its JSON that is a message, or its text.
fn said(received: &ApiResponse) -> String {
    let ApiResponse { media_type, body, .. } = received;
    let Ok(json) = serde_json::from_slice::<Value>(body) else {
        let is_html = media_type.contains("html") || body.trim_ascii_start().starts_with(b"<");
        return if is_html { html_title(body) } else { String::from_utf8_lossy(body).into_owned() };
    };
    let text = |pointer| json.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    let places = ["/error/message", "/message", "/detail", "/title", "/error_description", "/error", "/err", "/reason"];
    let message = places.into_iter().find_map(text).map(str::to_owned);
    // Which arguments are wrong.
    let details = ["/errors", "/error/errors", "/validation", "/invalid-params"]
        .into_iter()
        .find_map(|place| json.pointer(place));
    match (message, details) {
        (Some(message), Some(details)) => format!("{message}: {details}"),
        (Some(message), None) => message,
        (None, _) => json.to_string(),
    }
}

/// Returns what a page of HTML says about itself.
pub(super) fn html_title(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(16 * 1024)]);
    let title = text.find("<title>").and_then(|start| {
        let inside = &text[start + "<title>".len()..];
        inside.find("</title>").map(|end| inside[..end].trim())
    });
    match title.filter(|title| !title.is_empty()) {
        Some(title) => format!("a page of HTML with the title `{title}`"),
        None => "a page of HTML".to_owned(),
    }
}

/// Returns a size for people.
fn bytes(count: u64) -> String {
    const MIB: u64 = 1024 * 1024;
    match count {
        0..1024 => format!("{count} bytes"),
        1024..MIB => format!("{} KiB", count / 1024),
        _ => format!("{} MiB", count / MIB),
    }
}
