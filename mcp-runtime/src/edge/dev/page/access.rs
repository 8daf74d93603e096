//! Who may see the page: who has its token. The guard has checked `Host` and `Origin` before.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, header::AUTHORIZATION};

use super::{error::PageError, query, routes::Page};
use crate::base::{hex::hex, mac::MacKey, random};

/// The random token of a page.
pub(super) struct PageToken {
    text: String,
    key: MacKey,
    code: [u8; 32],
}

impl PageToken {
    pub(super) fn random() -> Self {
        let (text, key) = (hex(&random::bytes::<32>()), MacKey::random());
        let code = key.code(&[text.as_bytes()]);
        Self { text, key, code }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether a client has the token. Compares codes, whose bytes a client can neither know nor choose, so the
    /// time of the comparison says nothing about the token.
    fn is(&self, given: &str) -> bool {
        self.key.code(&[given.as_bytes()]) == self.code
    }
}

/// Refuses a request without the token, and one that another page has caused.
pub(super) async fn require_token(State(page): State<Page>, request: Request, next: Next) -> Response {
    if !is_of_this_page(request.headers()) {
        return PageError::OtherSite.into_response();
    }
    let (path, uri) = (request.uri().path(), request.uri());
    // The browser itself asks for the document and for frames, and adds no header.
    let in_query = || matches!(path, "/" | "/views").then(|| query::parameter(uri, "token")).flatten();
    match bearer(request.headers()).map(str::to_owned).or_else(in_query) {
        Some(token) if page.token.is(&token) => next.run(request).await,
        _ => PageError::NoToken.into_response(),
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// Whether the user, the page itself or a program has caused the request. Browsers say so.
fn is_of_this_page(headers: &HeaderMap) -> bool {
    headers.get_all("sec-fetch-site").iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
}
