//! Removes secrets from what is written to a file.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::RecordingLine;
use crate::edge::dev::session::api::message::WireMessage;

/// A shorter secret is only removed where it is a whole value: it is a part of too many words.
const SHORTEST_PART: usize = 4;

const SECRET: &str = "[secret]";

/// The headers whose values are secret, and what stands in their place.
const HEADERS: [(&str, &str); 7] = [
    ("authorization", "[authorization]"),
    ("proxy-authorization", "[authorization]"),
    ("cookie", "[cookie]"),
    ("set-cookie", "[cookie]"),
    ("x-api-key", "[key]"),
    ("mcp-session-id", "[session]"),
    ("idempotency-key", "[key]"),
];

pub(super) struct Redactor {
    /// The secrets as they can appear in a text, the longest one first.
    parts: Vec<String>,
    /// The secrets that are whole values.
    wholes: Vec<String>,
}

impl Redactor {
    pub(super) fn new(secrets: &[String]) -> Self {
        let wholes: Vec<_> =
            secrets.iter().map(|secret| secret.trim().to_owned()).filter(|it| !it.is_empty()).collect();
        let mut parts = Vec::new();
        for secret in wholes.iter().chain(secrets).filter(|secret| secret.len() >= SHORTEST_PART) {
            parts.push(secret.clone());
            parts.push(escaped(secret));
            parts.push(escaped(&escaped(secret)));
            parts.push(utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string());
            let encoded = [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD];
            parts.extend(encoded.iter().map(|base64| base64.encode(secret)));
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        parts.dedup();
        Self { parts, wholes }
    }

    /// Returns a line of a file.
    pub(super) fn line(&self, line: RecordingLine) -> String {
        let line = match line {
            RecordingLine::Message(message) => RecordingLine::Message(self.message(message)),
            line => line,
        };
        let mut value = serde_json::to_value(&line).unwrap_or_default();
        self.redact(&mut value);
        value.to_string() + "\n"
    }

    fn message(&self, mut message: WireMessage) -> WireMessage {
        if let Some(text) = &mut message.text {
            *text = self.text(text);
        }
        // The beginning of a message can end within a secret.
        message.summary.preview = match &message.text {
            Some(text) => text.chars().take(200).collect(),
            None => format!("[{} bytes]", message.summary.length),
        };
        for (name, value) in message.headers.iter_mut().flatten() {
            if let Some((_, placeholder)) = HEADERS.iter().find(|(secret, _)| name.eq_ignore_ascii_case(secret)) {
                *value = (*placeholder).to_owned();
            }
        }
        if let Some(url) = &mut message.url
            && let Some(query) = url.find('?')
        {
            url.replace_range(query + 1.., "[query]");
        }
        message
    }

    fn redact(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.redact(value)),
            Value::Object(members) => {
                *members = std::mem::take(members)
                    .into_iter()
                    .map(|(name, mut value)| {
                        self.redact_member(&name, &mut value);
                        (self.plain(&name), value)
                    })
                    .collect();
            }
            Value::Number(number) if self.wholes.contains(&number.to_string()) => *value = SECRET.into(),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn redact_member(&self, name: &str, value: &mut Value) {
        let text = value.as_str();
        let placeholder = match (name, text) {
            ("requestState", Some(state)) => format!("[state of {} bytes]", state.len()),
            ("idempotency-key" | "idempotencyKey", Some(_)) => "[key]".to_owned(),
            ("authorization" | "access_token" | "refresh_token" | "id_token", Some(_)) => "[token]".to_owned(),
            ("password" | "client_secret" | "api_key" | "apiKey", Some(_)) => SECRET.to_owned(),
            _ => return self.redact(value),
        };
        *value = placeholder.into();
    }

    /// Returns a text without secrets. The text can be JSON.
    fn text(&self, text: &str) -> String {
        if text.starts_with(['{', '['])
            && let Ok(mut inner) = serde_json::from_str::<Value>(text)
        {
            self.redact(&mut inner);
            return inner.to_string();
        }
        self.plain(text)
    }

    fn plain(&self, text: &str) -> String {
        if self.wholes.iter().any(|secret| secret == text.trim()) {
            return SECRET.to_owned();
        }
        let mut text = text.to_owned();
        for part in &self.parts {
            if text.contains(&**part) {
                text = text.replace(&**part, SECRET);
            }
        }
        without_bearer(&text).unwrap_or(text)
    }
}

/// Removes the token of `Bearer TOKEN`, if there is one.
fn without_bearer(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("Bearer ")?;
    let end = rest.find(|char: char| !(char.is_ascii_alphanumeric() || "-._~+/=".contains(char))).unwrap_or(rest.len());
    let after = without_bearer(&rest[end..]).unwrap_or_else(|| rest[end..].to_owned());
    let token = if end < 8 { &rest[..end] } else { "[token]" };
    Some(format!("{before}Bearer {token}{after}"))
}

/// Returns a text as it is written inside a JSON string.
fn escaped(text: &str) -> String {
    let written = Value::from(text).to_string();
    written[1..written.len() - 1].to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_is_removed_in_every_form() {
        let secret = "p\"ss w\\rd/ü-1234".to_owned();
        let redactor = Redactor::new(&[secret.clone(), "77".to_owned(), "31337".to_owned()]);
        let inner = json!({ "a": secret, "b": [format!("x{secret}y")], "n": 31337, "m": 77, "state": "on" });
        let twice = json!({ "text": inner.to_string() }).to_string();
        for text in [secret.clone(), inner.to_string(), twice, format!("not JSON: {}", escaped(&escaped(&secret)))] {
            let mut value = json!({ "text": text, (secret.clone()): STANDARD.encode(&secret) });
            redactor.redact(&mut value);
            let written = value.to_string();
            for form in [&secret, &escaped(&secret), &escaped(&escaped(&secret)), &STANDARD.encode(&secret)] {
                assert!(!written.contains(&**form), "{written}");
            }
            assert!(!written.contains("31337") && written.contains(SECRET), "{written}");
        }
    }

    #[test]
    fn states_tokens_and_keys_have_placeholders_of_their_kind() {
        let redactor = Redactor::new(&[]);
        let text =
            json!({ "params": { "requestState": "v1.abcdef", "_meta": { "idempotency-key": "k" } } }).to_string();
        let expected = r#"{"params":{"requestState":"[state of 9 bytes]","_meta":{"idempotency-key":"[key]"}}}"#;
        assert_eq!(redactor.text(&text), expected);
        assert_eq!(redactor.text("sent Bearer abc.def-ghi_jkl, then"), "sent Bearer [token], then");
        assert_eq!(redactor.text("Bearer of news"), "Bearer of news");
    }
}
