//! What must not appear in a log or an error: the key, and the path of the URL, which can contain a token.

use super::{address::Address, key::ApiKey};

/// How many characters of a server's text are shown.
const MAX_SHOWN: usize = 300;

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
