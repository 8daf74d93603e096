//! Who may see the page: who has its token. The guard has checked `Host` and `Origin` before.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, header::AUTHORIZATION};

use super::{error::PageError, query, routes::Page};
pub(super) use crate::edge::dev::access::AccessToken as PageToken;
use crate::edge::dev::access::is_of_this_site;

/// Refuses a request without the token, and one that another page has caused.
pub(super) async fn require_token(State(page): State<Page>, request: Request, next: Next) -> Response {
    if !is_of_this_site(request.headers()) {
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
