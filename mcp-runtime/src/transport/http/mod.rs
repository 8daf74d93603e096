//! Streamable HTTP: one endpoint for both eras. Requests of the newest revision stand alone; the others come in sessions.

mod body;
mod limits;
mod origin;
mod post;
mod reply;
mod rooms;
mod serve;
mod sessions;

use std::sync::Arc;

pub use self::{limits::HttpLimits, origin::AllowedHosts};
use self::{rooms::Rooms, sessions::Sessions};
use crate::server::Service;
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{Extensions, Method, StatusCode, header::ALLOW},
    response::Response,
    routing::any,
};

/// Who is behind a request, as a middleware in front of the endpoint knows it: put into the request's extensions, it
/// binds sessions and states, so that no other can go on with them. A name and no secret: issuer and subject of a token,
/// never the token.
///
/// ```
/// use axum::{extract::Request, middleware::Next, response::Response};
/// use mcp_runtime::Principal;
///
/// /// Behind a proxy that has checked who it is.
/// async fn identify(mut request: Request, next: Next) -> Response {
///     if let Some(Ok(user)) = request.headers().get("x-user").map(|user| user.to_str()) {
///         let principal = Principal::new(user);
///         request.extensions_mut().insert(principal);
///     }
///     next.run(request).await
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Principal(Arc<str>);

impl Principal {
    /// Whoever goes by this name.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }
}

/// The endpoint of a service.
struct Http {
    service: Service,
    rooms: Rooms,
    sessions: Sessions,
}

impl Service {
    /// The endpoint, to be mounted at any path of an [`axum`] application, behind whatever middleware that has:
    ///
    /// ```
    /// use mcp_runtime::{Server, prelude::*};
    ///
    /// /// Adds two numbers.
    /// #[mcp_tool(read_only)]
    /// async fn add(a: i64, b: i64) -> Text<i64> {
    ///     Text(a + b)
    /// }
    ///
    /// let service = Server::new("calculator", "1.0.0").tools(tools![add]).build().unwrap();
    /// let app: axum::Router = axum::Router::new().nest("/mcp", service.router());
    /// ```
    pub fn router(&self) -> Router {
        let limits = &self.0.limits;
        let http = Http { service: self.clone(), rooms: Rooms::new(limits), sessions: Sessions::new(&limits.http) };
        Router::new().route("/", any(handle)).with_state(Arc::new(http))
    }
}

async fn handle(State(http): State<Arc<Http>>, request: Request) -> Response {
    if let Err(refused) = http.service.0.allowed_hosts.check(request.uri(), request.headers()) {
        return reply::refused(&refused);
    }
    match *request.method() {
        Method::POST => post::post(&http, request).await,
        Method::DELETE => http.sessions.delete(request.headers(), principal(request.extensions()).as_ref()),
        _ => {
            let mut response = empty(StatusCode::METHOD_NOT_ALLOWED);
            response.headers_mut().insert(ALLOW, "POST, DELETE".parse().expect("it is a header's value"));
            response
        }
    }
}

/// Who is behind a request, where that is known.
fn principal(extensions: &Extensions) -> Option<Arc<str>> {
    extensions.get().map(|Principal(name)| Arc::clone(name))
}

fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}
