//! The built page, as a part of the program.

use axum::{
    Router,
    http::{
        HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS},
    },
    response::{IntoResponse as _, Response},
    routing::get,
};
use tower_http::compression::CompressionLayer;

/// The files of `web/dist`, which `npm run build` writes.
const FILES: [(&str, &str, &[u8]); 3] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../web/dist/index.html")),
    ("/assets/page.js", "text/javascript; charset=utf-8", include_bytes!("../web/dist/assets/page.js")),
    ("/assets/page.css", "text/css; charset=utf-8", include_bytes!("../web/dist/assets/page.css")),
];

/// Scripts and styles come only from this program, so that text of a model or a tool can bring none. Frames show the views
/// of tools: their own policy is a header of the host's route.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      frame-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) fn routes() -> Router {
    FILES
        .iter()
        .fold(Router::new(), |router, (path, kind, content)| router.route(path, get(async || file(kind, content))))
        .layer(CompressionLayer::new())
}

fn file(kind: &'static str, content: &'static [u8]) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (StatusCode::OK, headers, content).into_response()
}
