//! Streamable HTTP: one endpoint for both eras. Requests of the newest revision stand alone; the others come in sessions.

mod origin;
mod post;
mod reply;
mod sessions;

use std::{io, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{Extensions, Method, StatusCode, header::ALLOW},
    response::Response,
    routing::any,
};
use tokio::{
    net::{TcpListener, ToSocketAddrs},
    sync::Semaphore,
};

pub use self::origin::AllowedHosts;
use self::sessions::Sessions;
use crate::{server::Service, watch};

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
    /// For calls of the newest revision: each is a connection of its own, and all share this.
    room: Arc<Semaphore>,
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
        let room = Arc::new(Semaphore::new(self.0.limits.concurrent_calls));
        let http = Http { service: self.clone(), room, sessions: Sessions::default() };
        Router::new().route("/", any(handle)).with_state(Arc::new(http))
    }

    /// Serves the endpoint `/mcp` at an address until the future `shutdown` is ready; then requests in flight may finish
    /// within [`Server::shutdown_grace`](crate::Server::shutdown_grace).
    ///
    /// # Errors
    /// The address cannot be listened at.
    pub async fn serve_http(
        &self,
        address: impl ToSocketAddrs,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        self.serve_listener(TcpListener::bind(address).await?, shutdown).await
    }

    /// The same, where somebody listens already.
    pub(crate) async fn serve_listener(
        &self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let app = Router::new().nest("/mcp", self.router());
        let (told, stopping) = tokio::sync::oneshot::channel::<()>();
        let shutdown = async move {
            shutdown.await;
            drop(told);
        };
        let serving = axum::serve(listener, app).with_graceful_shutdown(shutdown);
        let grace = self.0.limits.shutdown_grace;
        let limit = async {
            let _ = stopping.await;
            tokio::time::sleep(grace).await;
        };
        let served = tokio::select! {
            served = serving => served,
            () = limit => Ok(()),
        };
        let _ = tokio::time::timeout(grace, self.0.detached.wait()).await;
        served
    }
}

async fn handle(State(http): State<Arc<Http>>, request: Request) -> Response {
    let method = request.method().clone();
    let response = answer(&http, request).await;
    watch::responded(&method, response.status());
    response
}

async fn answer(http: &Arc<Http>, request: Request) -> Response {
    if let Err(refused) = http.service.0.allowed_hosts.check(request.uri(), request.headers()) {
        return reply::refused(&refused);
    }
    match *request.method() {
        Method::POST => post::post(http, request).await,
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
