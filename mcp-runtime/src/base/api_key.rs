//! The key of a service, which never appears in an output, and texts of a service in error messages.

use std::fmt::{self, Debug};

use reqwest::header::HeaderValue;

/// The text that replaces a secret in messages.
pub(crate) const HIDDEN: &str = "***";
/// How many characters of a service's text are shown.
const MAX_SHOWN: usize = 300;
/// A server may show the start of a rejected key in its error. So a word is hidden if it begins with the first six
/// characters of the key.
const PREFIX: usize = 6;

/// An API key. It never appears in an output.
#[derive(Clone)]
pub(crate) struct ApiKey(String);

impl ApiKey {
    /// Returns `None` if the key is empty.
    pub(crate) fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    pub(crate) fn is_sendable(&self) -> bool {
        self.0.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Returns the key. Use it only where the key leaves the program.
    #[cfg(feature = "openapi")]
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the header value, or `None` if the key contains invalid characters.
    pub(crate) fn header(&self, scheme: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::try_from(format!("{scheme}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Replaces the key in `text` with `***`. Also replaces words that begin with the first characters of the key.
    pub(crate) fn hide(&self, text: &str) -> String {
        let text = text.replace(&self.0, HIDDEN);
        let Some(start) = self.0.get(..PREFIX).filter(|_| self.0.len() >= 2 * PREFIX) else { return text };
        let mut hidden = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find(start) {
            hidden.push_str(&rest[..at]);
            hidden.push_str(HIDDEN);
            let after = &rest[at..];
            rest = &after[after.find(|c: char| !is_of_a_key(c)).unwrap_or(after.len())..];
        }
        hidden + rest
    }
}

fn is_of_a_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_*.…+/=".contains(c)
}

impl Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// Prepares a service's text, whose secrets are hidden, for an error message: puts it on one line and shortens it.
pub(crate) fn quoted(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
    match line.char_indices().nth(MAX_SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::ApiKey;

    #[test]
    fn hides_a_key_and_words_that_begin_like_it() {
        let key = ApiKey::new(" sk-abcdef123456\n").unwrap();
        assert_eq!(key.hide("`sk-abcdef123456` and sk-abcdef123456."), "`***` and ***.");
        assert_eq!(key.hide("Incorrect key: sk-abc*********3456. See the page"), "Incorrect key: *** See the page");
        assert_eq!(key.hide("sk-abc"), "***");
        assert_eq!(key.hide("sk-ab is too short, as are sk- and é"), "sk-ab is too short, as are sk- and é");
        assert_eq!(format!("{key:?}"), "***");
    }

    #[test]
    fn hides_only_whole_occurrences_of_a_short_key() {
        let key = ApiKey::new("ollama").unwrap();
        assert_eq!(key.hide("ollama, ollam"), "***, ollam");
    }

    #[test]
    fn rejects_an_empty_key_and_one_with_spaces() {
        assert!(ApiKey::new(" \n").is_none());
        assert!(!ApiKey::new("two words").unwrap().is_sendable());
        assert!(!ApiKey::new("schlüssel").unwrap().is_sendable());
    }
}
