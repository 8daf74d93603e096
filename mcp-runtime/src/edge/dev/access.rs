//! Who may send requests to the port of the command: who knows a secret token, and no page of another site.

use http::HeaderMap;

use crate::base::{hex::hex, mac::MacKey, random};

/// A secret token, which is a part of an address.
pub(super) struct AccessToken {
    text: String,
    key: MacKey,
    code: [u8; 32],
}

impl AccessToken {
    pub(super) fn random() -> Self {
        Self::of(hex(&random::bytes::<32>()))
    }

    pub(super) fn of(text: String) -> Self {
        let key = MacKey::random();
        let code = key.code(&[text.as_bytes()]);
        Self { text, key, code }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether a client has the token. Compares codes, whose bytes a client can neither know nor choose, so the
    /// time of the comparison says nothing about the token.
    pub(super) fn is(&self, given: &str) -> bool {
        self.key.code(&[given.as_bytes()]) == self.code
    }
}

/// Whether the user, a page of this address or a program has caused the request. Browsers say so.
pub(super) fn is_of_this_site(headers: &HeaderMap) -> bool {
    headers.get_all("sec-fetch-site").iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
}
