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

    /// Replaces the key in `text` with `***`, also if it is encoded. Also replaces words that begin with the first characters
    /// of the key.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.hide_beginnings(self.hide_whole(text))
    }

    /// Replaces words in `text` that begin with the first characters of the key.
    pub(crate) fn hide_beginnings(&self, text: String) -> String {
        let Some(start) = self.0.get(..PREFIX).filter(|_| self.0.len() >= 2 * PREFIX) else { return text };
        // Any character that the key has, and those of a key that is shortened or encoded.
        let is_of_it = |c: char| c.is_ascii_alphanumeric() || "-_*.…+/=%".contains(c) || self.0.contains(c);
        replaced(&text, start, |c| is_of_it(c) && !c.is_whitespace())
    }

    /// Replaces the key in `text` with `***`, also if some of its characters are encoded, as in a URL or in JSON.
    pub(crate) fn hide_whole(&self, text: &str) -> String {
        replaced(text, &self.0, |_| false)
    }
}

/// Replaces each `secret` in a text, and the characters that follow it as long as `is_of_it` accepts them.
fn replaced(text: &str, secret: &str, is_of_it: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    let (mut from, mut at) = (0, 0);
    while at < text.len() {
        let Some(length) = length_of(secret.as_bytes(), &text.as_bytes()[at..]) else {
            at += 1;
            continue;
        };
        shown.push_str(&text[from..at]);
        shown.push_str(HIDDEN);
        let behind = &text[at + length..];
        at += length + behind.find(|c| !is_of_it(c)).unwrap_or(behind.len());
        from = at;
    }
    shown + &text[from..]
}

/// Returns how long a secret is at the beginning of a text, if it is there: as it is, encoded as in a URL, or as in JSON.
fn length_of(secret: &[u8], text: &[u8]) -> Option<usize> {
    let encoded = |length_of_byte: fn(u8, &[u8]) -> Option<usize>| {
        secret.iter().try_fold(0, |length, byte| Some(length + length_of_byte(*byte, &text[length..])?))
    };
    let is_raw = text.starts_with(secret);
    is_raw.then_some(secret.len()).or_else(|| encoded(in_url)).or_else(|| encoded(in_json))
}

fn in_url(byte: u8, text: &[u8]) -> Option<usize> {
    match text {
        [b'%', high, low, ..] if decoded(*high, *low) == Some(byte) => Some(3),
        [b'+', ..] if byte == b' ' => Some(1),
        [same, ..] if *same == byte => Some(1),
        _ => None,
    }
}

fn in_json(byte: u8, text: &[u8]) -> Option<usize> {
    match text {
        [b'\\', escaped @ (b'/' | b'"' | b'\\'), ..] if *escaped == byte => Some(2),
        [same, ..] if *same == byte => Some(1),
        _ => None,
    }
}

fn decoded(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
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
    fn hides_a_key_that_is_encoded_as_others_encode_it() {
        let key = ApiKey::new("a+b/c 'ü' (d)=100%25\\e").unwrap();
        for text in [
            "a+b/c 'ü' (d)=100%25\\e",
            // `encodeURIComponent`, `urllib.parse.quote`, a form, all but letters, and JSON.
            "a%2Bb%2Fc%20'%C3%BC'%20(d)%3D100%2525%5Ce",
            "a%2Bb/c%20%27%C3%BC%27%20%28d%29%3D100%2525%5Ce",
            "a%2bb%2fc+%27%c3%bc%27+%28d%29%3d100%2525%5ce",
            "a+b\\/c 'ü' (d)=100%25\\\\e",
        ] {
            assert_eq!(key.hide_whole(&format!("é{text}é")), "é***é", "{text}");
            assert_eq!(key.hide(&format!("({text}")), "(***", "{text}");
        }
    }

    #[test]
    fn hides_a_beginning_with_any_characters() {
        for (key, text, shown) in [
            ("$2a$12$abcdefghij", "bad token \"$2a$12$ab***\"", "bad token \"***\""),
            ("+abc/def/ghi/jkl", "%2Babc/de… is wrong", "*** is wrong"),
            ("p@ss:w0rd-long", "`p@ss:w0` is wrong", "`***` is wrong"),
            ("two words and more", "two words and", "*** and"),
        ] {
            assert_eq!(ApiKey::new(key).unwrap().hide(text), shown);
        }
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
