//! What must not appear in a log or an error: the key, and the path of the URL, which can contain a token.

use std::fmt::{self, Debug};

use reqwest::header::HeaderValue;

use super::address::Address;

/// The text that replaces a secret in messages.
pub(super) const HIDDEN: &str = "***";
/// A server may show the start of a rejected key in its error. So a word is hidden if it begins with the first six
/// characters of the key.
const PREFIX: usize = 6;
/// How many characters of a server's text are shown.
const MAX_SHOWN: usize = 300;

/// An API key. It never appears in an output.
#[derive(Clone)]
pub(super) struct ApiKey(String);

impl ApiKey {
    /// Returns `None` if the key is empty.
    pub(super) fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    pub(super) fn is_sendable(&self) -> bool {
        self.0.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Returns the header value, or `None` if the key contains invalid characters.
    pub(super) fn header(&self, scheme: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::try_from(format!("{scheme}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Replaces the key in `text` with `***`. Also replaces words that begin with the first characters of the key.
    pub(super) fn hide(&self, text: &str) -> String {
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

/// The secrets of a model.
#[derive(Clone, Copy)]
pub(super) struct Secrets<'a> {
    pub(super) key: Option<&'a ApiKey>,
    pub(super) address: Option<&'a Address>,
}

impl Secrets<'_> {
    /// Replaces the secrets in a text.
    pub(super) fn hide(self, text: &str) -> String {
        let text = self.address.map_or_else(|| text.to_owned(), |address| address.hide_path(text));
        match self.key {
            Some(key) => key.hide(&text),
            None => text,
        }
    }

    /// Prepares a server's text for an error message: hides the secrets, puts the text on one line and shortens it.
    pub(super) fn quote(self, text: &str) -> String {
        let text = self.hide(text);
        let words: Vec<_> = text.split_whitespace().collect();
        let line: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
        match line.char_indices().nth(MAX_SHOWN) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line,
        }
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
