//! Serves the page at the root of the server's own listener.

use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
    routing::get,
};
use http::{
    HeaderMap, HeaderName,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
};

use crate::{
    engine::call::operation::Operation,
    serve::{http::auth::Authorizer, server::Service},
};

static FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The URL in place of one that is not known.
const UNKNOWN: &str = "https://HOST";

impl Service {
    /// Returns a router with the page, behind the guard of all endpoints. `path` is that of the MCP endpoint. The router
    /// is empty if there is no page, or if the endpoint itself is at the root.
    pub(super) fn root_page_router(&self, path: &str) -> Router {
        let path = path.trim_end_matches('/');
        if self.http().root_page.is_none() || path.is_empty() {
            return Router::new();
        }
        let state = (self.clone(), path.to_owned());
        Router::new().route("/", get(show).layer(self.guard()).with_state(state))
    }

    /// Returns the URL at which the sender of a request reaches the endpoint. It has the host of the request only if the
    /// host is allowed.
    fn url_of_endpoint(&self, path: &str, request: &Request) -> String {
        let http = self.http();
        if let Some(resource) = http.admission.as_ref().and_then(Authorizer::public_resource) {
            return resource.to_owned();
        }
        let headers = request.headers();
        let host = request.uri().authority().map(|authority| authority.as_str()).or_else(|| text(headers, &HOST));
        let origin = host.and_then(|host| http.allowed_hosts().origin_of(host, text(headers, &FORWARDED_PROTO)));
        format!("{}{path}", origin.as_deref().unwrap_or(UNKNOWN))
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

async fn show(State((service, path)): State<(Service, String)>, request: Request) -> Response {
    let http = service.http();
    let Some(page) = &http.root_page else { return http::StatusCode::NOT_FOUND.into_response() };
    let version = service.0.registry.read().list(Operation::CallTool).version;
    let bytes = page.bytes(&service, &service.url_of_endpoint(&path, &request), version);
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, &*page.policy),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, bytes).into_response()
}
