//! Credentials in texts of the service, and how they are hidden.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::table::ApiSchemeKind;
use crate::base::api_key::ApiKey;

/// The length from which a credential is hidden in results, in bytes.
const SHORTEST_HIDDEN: usize = 12;
/// The length from which a password is hidden alone, in bytes. Services that take a key as the user want a shorter one, or
/// none.
const SHORTEST_PASSWORD: usize = 4;

/// The texts that are hidden for all credentials, the longest first.
#[derive(Default)]
pub(super) struct Redaction(Vec<ApiKey>);

impl Redaction {
    /// Adds a credential, and for basic authentication what is sent for it and its secret part.
    pub(super) fn add(&mut self, kind: &ApiSchemeKind, key: &ApiKey) {
        self.0.push(key.clone());
        if let (ApiSchemeKind::Basic, Some((user, password))) = (kind, key.expose().split_once(':')) {
            self.0.extend(ApiKey::new(&BASE64_STANDARD.encode(key.expose())));
            let secret = [password, user].into_iter().find(|part| part.len() >= SHORTEST_PASSWORD);
            self.0.extend(secret.and_then(ApiKey::new));
        }
        // One can contain another one, such as the password.
        self.0.sort_by_key(|text| std::cmp::Reverse(text.expose().len()));
    }

    /// Hides the credentials in a text, and words that begin like one.
    pub(super) fn hide(&self, text: &str) -> String {
        in_escaped(text, |text| {
            // Whole ones first, because two can begin like each other.
            let text = self.0.iter().fold(text.to_owned(), |text, secret| secret.hide_whole(&text));
            self.0.iter().fold(text, |text, secret| secret.hide_beginnings(text))
        })
    }

    /// Hides the credentials in a result. Short ones, such as `me:pw`, stay, because other texts of the result can contain
    /// them.
    pub(super) fn hide_in_result(&self, text: &str) -> String {
        let is_long = |secret: &&ApiKey| secret.expose().len() >= SHORTEST_HIDDEN;
        in_escaped(text, |text| {
            self.0.iter().filter(is_long).fold(text.to_owned(), |text, secret| secret.hide_whole(&text))
        })
    }
}

/// Applies `hide` to the strings of JSON in a text that have escapes such as `\u002B`, and then to the text. All else stays
/// as it is written.
fn in_escaped(text: &str, hide: impl Fn(&str) -> String) -> String {
    if !text.contains('\\') {
        return hide(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        out.push_str(&rest[..start]);
        let literal = &rest[start..start + literal_len(&rest[start..])];
        rest = &rest[start + literal.len()..];
        let read = Some(literal).filter(|literal| literal.contains('\\'));
        let read = read.and_then(|literal| serde_json::from_str::<String>(literal).ok());
        match read.map(|read| (hide(&read), read)) {
            Some((hidden, read)) if hidden != read => out.push_str(&Value::from(hidden).to_string()),
            _ => out.push_str(literal),
        }
    }
    hide(&(out + rest))
}

/// Returns the length of the string of JSON with which a text begins, with its quotes.
fn literal_len(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redaction(kind: &ApiSchemeKind, key: &str) -> Redaction {
        let mut redaction = Redaction::default();
        redaction.add(kind, &ApiKey::new(key).unwrap());
        redaction
    }

    #[test]
    fn hides_each_form_of_a_credential() {
        let key = redaction(&ApiSchemeKind::Query("key"), "abc+def/ghi==0 23");
        for form in [
            "abc+def/ghi==0 23",
            "abc%2Bdef%2Fghi%3D%3D0+23",
            "abc%2Bdef%2Fghi%3D%3D0%2023",
            "abc%2bdef%2fghi%3d%3d0+23",
            "abc%2Bdef/ghi%3D%3D0%2023",
            r"abc+def\/ghi==0 23",
            r#"{"a":1e400,"b":"\\","c":"é abc\u002Bdef\/ghi\u003d=0 23"}"#,
            r#"{"abc\u002bdef\/ghi==0 23":"#,
            r#""abc+def\/ghi\u003d=0 23""#,
        ] {
            let result = key.hide_in_result(&format!("({form})"));
            assert!(result.contains("***") && !result.contains("ghi"), "{result}");
            assert!(!key.hide(form).contains("ghi"), "{form}");
        }
        let json = r#"{"a":1e400,"b":"\\","c":"é\" abc\u002Bdef\/ghi\u003d=0 23"}"#;
        assert_eq!(key.hide_in_result(json), r#"{"a":1e400,"b":"\\","c":"é\" ***"}"#);
    }

    #[test]
    fn a_text_without_a_credential_stays_as_it_is() {
        let key = redaction(&ApiSchemeKind::Bearer, "abc+def/ghi==0123");
        for text in [r#"{"a":"\/ \u002B","b":12345678901234567890123}"#, r#""\"#, r#"5" \ pipe"#, r#""\ud800""#] {
            assert_eq!((key.hide(text).as_str(), key.hide_in_result(text).as_str()), (text, text));
        }
    }

    #[test]
    fn hides_what_is_secret_of_a_user_and_a_password() {
        let login = redaction(&ApiSchemeKind::Basic, "ann:correct-horse");
        let encoded = BASE64_STANDARD.encode("ann:correct-horse");
        let text = format!("ann correct-horse Basic {encoded}");
        assert_eq!(login.hide_in_result(&text), "ann *** Basic ***");
        assert_eq!(login.hide(&text), "ann *** Basic ***");
        for key in ["sk-0123456789abcdef:", "sk-0123456789abcdef:X"] {
            let login = redaction(&ApiSchemeKind::Basic, key);
            assert_eq!(login.hide_in_result("X sk-0123456789abcdef"), "X ***");
            assert_eq!(login.hide("X sk-0123456789abcdef"), "X ***");
        }
    }

    #[test]
    fn a_short_credential_stays_in_a_result() {
        let login = redaction(&ApiSchemeKind::Basic, "me:pass");
        assert_eq!(login.hide_in_result("me:pass pass"), "me:pass pass");
        assert_eq!(login.hide("me:pass pass"), "*** ***");
    }
}
