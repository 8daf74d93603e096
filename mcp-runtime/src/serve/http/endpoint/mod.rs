//! The endpoint for MCP clients.

// One endpoint serves all revisions. A request of the newest revision is self-contained; a request of an older revision
// belongs to a session. Each posted message (`post.rs`) is handled by a connection (`server/connection/`): the one of its
// session, or a new one. Messages for the client go into a stream (`session/stream.rs`), which is sent as a JSON reply
// (`reply.rs`) or as events (`events.rs`).

mod accept;
mod events;
mod post;
mod reply;

use std::{net::IpAddr, sync::Arc};

use axum::{
    Router,
    body::{Bytes, HttpBody},
    extract::{Request, State},
    http::{Extensions, HeaderMap, Method, StatusCode, header::ALLOW, request::Parts},
    response::{IntoResponse as _, Response},
    routing::{MethodRouter, any},
};

use self::{accept::accepts_events, events::Exchange};
use super::{
    guard::Guard,
    session::{HttpSession, SESSION, Sessions},
    shared::{
        lifecycle::{EndpointCalls, Lifecycle, Standalone},
        settings::HttpPart,
        warnings::warn_of_unreachable,
    },
};
use crate::{engine::call::Principal, serve::server::Service, wire::protocol::error::RpcError};

const LAST_EVENT_ID: &str = "last-event-id";

/// The endpoint of a service.
pub(super) struct Http {
    service: Service,
    shared: Arc<HttpPart>,
    guard: Guard,
    calls: Arc<EndpointCalls>,
}

impl Service {
    /// Returns a router with the endpoint. Nest it at any path of an [`axum`] application, behind any middleware:
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
        self.mount("/").merge(self.metadata_of_endpoint())
    }

    /// Returns a router with the endpoint at this path, with or without a slash at its end. Merge it into an application:
    /// `app.merge(service.mount("/mcp"))`.
    ///
    /// # Panics
    /// Panics if [`Router::route`] does not accept the path.
    pub fn mount(&self, path: &str) -> Router {
        let handler: MethodRouter = any(handle).with_state(self.endpoint());
        let base = path.trim_end_matches('/');
        // No path can follow a wildcard.
        if base.is_empty() || base.contains("{*") {
            return Router::new().route(path, handler);
        }
        Router::new().route(base, handler.clone()).route(&format!("{base}/"), handler)
    }

    pub(super) fn endpoint(&self) -> Arc<Http> {
        warn_of_unreachable(self);
        let (shared, guard) = (self.http(), self.guard().render(reply::error));
        guard.warn_of_endpoint("the MCP endpoint");
        let calls = EndpointCalls { sessions: Sessions::new(&shared.limits), standalone: Standalone::default() };
        let calls = Arc::new(calls);
        shared.lifecycle.add(&calls);
        Arc::new(Http { service: self.clone(), shared, guard, calls })
    }
}

async fn handle(State(http): State<Arc<Http>>, request: Request) -> Response {
    http.respond(request, None).await
}

impl Http {
    /// Answers a request. `peer` is the address at the other end of the connection, if known.
    pub(super) fn respond<B>(
        self: Arc<Self>,
        request: http::Request<B>,
        peer: Option<IpAddr>,
    ) -> impl Future<Output = Response>
    where
        B: HttpBody<Data = Bytes> + Unpin,
    {
        let (parts, body) = request.into_parts();
        let parts = Arc::new(parts);
        async move { self.guard.around(parts, peer, |parts| answer(&self, parts, body, peer)).await }
    }

    /// Whether clients before 2026-07-28 get no sessions.
    fn is_sessionless(&self) -> bool {
        self.service.0.settings.http_rules.sessionless
    }
}

async fn answer<B>(http: &Http, parts: Arc<Parts>, body: B, peer: Option<IpAddr>) -> Response
where
    B: HttpBody<Data = Bytes> + Unpin,
{
    let headers = &parts.headers;
    match parts.method {
        Method::POST => post::post(http, parts, body, peer).await,
        // GET and DELETE need a session.
        Method::GET | Method::DELETE if http.is_sessionless() || !headers.contains_key(&SESSION) => not_allowed("POST"),
        Method::GET => match http.calls.sessions.find(headers, session_owner(&parts.extensions).as_ref()) {
            Ok(session) => {
                session.set_used();
                get(&http.shared.lifecycle, session, headers)
            }
            Err(status) => status.into_response(),
        },
        Method::DELETE => {
            let owner = session_owner(&parts.extensions);
            http.calls.sessions.delete(headers, owner.as_ref()).into_response()
        }
        _ if http.is_sessionless() => not_allowed("POST"),
        _ => not_allowed("POST, GET, DELETE"),
    }
}

/// Answers `GET` with a stream. The stream contains the messages of a session that belong to no request, or the rest of
/// a stream whose connection broke.
fn get(lifecycle: &Lifecycle, session: Arc<HttpSession>, headers: &HeaderMap) -> Response {
    if !accepts_events(headers) {
        return reply::refused(StatusCode::NOT_ACCEPTABLE, "`Accept` must list `text/event-stream`");
    }
    let Some(last) = headers.get(LAST_EVENT_ID) else {
        let stream = session.streams.lock().listen();
        // This check must come after the stream is registered. A later call of `retire` ends the stream, and this check
        // detects an earlier call.
        if lifecycle.is_retired() {
            stream.end();
            return reply::error(&RpcError::stopping());
        }
        return match stream.read_behind(None) {
            Some(cursor) => {
                let listener = session.listener();
                session.connection.notices_opened();
                events::response(stream, cursor, Exchange::Listening(listener), None)
            }
            None => reply::busy(),
        };
    };
    match last.to_str().ok().and_then(|last| session.resume(last)) {
        Some((stream, cursor)) => {
            events::response(stream, cursor, Exchange::InSession(session), Some(lifecycle.exchanges.enter()))
        }
        None => reply::refused(
            StatusCode::BAD_REQUEST,
            "the event in `Last-Event-ID` is no longer stored, so its stream cannot be resumed; send the request again",
        ),
    }
}

/// Returns the owner of the sessions that the request can use.
fn session_owner(extensions: &Extensions) -> Option<Arc<str>> {
    extensions.get().map(Principal::shared_name)
}

fn not_allowed(allowed: &'static str) -> Response {
    (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, allowed)]).into_response()
}
