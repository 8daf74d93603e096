//! What must not appear in a log or an error: the key, and the path of the URL, which can contain a token.

use super::address::Address;
use crate::base::api_key::{self, ApiKey};

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
        api_key::quoted(&self.hide(text))
    }
}
