//! The document of the page: one file, which loads nothing.

use std::sync::LazyLock;

use axum::{body::Body, response::Response};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac_sha256::Hash;
use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
    },
};

const SCRIPT: &str = include_str!("../../../../dev-page/dist/page.js");
const STYLE: &str = include_str!("../../../../dev-page/dist/page.css");

/// The document, and its policy: only the script and the style in it, and requests to this address.
static DOCUMENT: LazyLock<(String, String)> = LazyLock::new(|| {
    // Neither of them may end its element.
    let (script, style) = (SCRIPT.replace("</script", "<\\/script"), STYLE.replace("</style", "<\\/style"));
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; connect-src 'self'; frame-src 'self'; img-src data:; media-src data:; \
         font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        hash(&script),
        hash(&style)
    );
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>dev</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{style}</style>\n</head>\n<body>\n\
         <noscript>This page needs JavaScript.</noscript>\n<script type=\"module\">{script}</script>\n\
         </body>\n</html>\n"
    );
    (html, policy)
});

/// Returns the source that allows an inline script or style.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Hash::hash(text.as_bytes())))
}

pub(super) fn response() -> Response {
    let (html, policy) = &*DOCUMENT;
    let mut response = Response::new(Body::from(html.as_str()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    // The policy is ASCII.
    headers.extend(HeaderValue::from_str(policy).map(|policy| (CONTENT_SECURITY_POLICY, policy)));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
    response
}

/// Adds the headers that all responses have. The address of the page has its token, so no other site may learn it.
pub(super) fn protect(headers: &mut HeaderMap) {
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
