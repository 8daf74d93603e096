//! The endpoint for hosts: `/mcp/TOKEN` on the port of the command. Its requests go to the newest process of the program,
//! so that a host stays connected while the program is built again, and its messages are in the log of the session.
//!
//! The token is a part of the path, because most hosts can be given a URL, and not all of them a header. A request
//! without it learns nothing. The guard checks `Host` and `Origin`, as for the page.
//!
//! Nothing is added to the protocol: status, headers and bodies are those of the process. A session whose process has
//! ended gets the 404 of the next process, and the host begins another session.

pub(crate) mod connection;
mod headers;
mod reply;

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Path, Request, State},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::any,
};
use bytes::Bytes;
use http::{
    HeaderValue, StatusCode,
    header::{HOST, RETRY_AFTER},
    request::Parts,
};
use http_body_util::Full;
use hyper::body::Incoming;
use serde_json::json;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use self::{connection::RequestConnection, reply::ForwardedBody};
use super::{
    access::{AccessToken, is_of_this_site},
    session::{DevSession, HostMessages, HostRequest},
    target::HttpProgram,
};
use crate::{
    serve::{http::json_body, remote::transport::http::url::Endpoint, server::Service},
    wire::protocol::error::INTERNAL_ERROR,
};

/// How long a request waits for a process. Many hosts wait for 60 s, and then show nothing of the reason.
const PATIENCE: Duration = Duration::from_secs(50);

/// How long the command waits before it connects again to a process that has just ended.
const PAUSE: Duration = Duration::from_millis(100);

/// When a host may try again, in seconds.
const RETRY: u16 = 5;

/// The largest body of a request, in bytes. The process has its own limit, which is usually smaller.
const LARGEST_BODY: usize = 64 * 1024 * 1024;

/// The endpoint for the hosts of one program.
pub(super) struct HostEndpoint {
    program: Arc<dyn HttpProgram>,
    messages: Arc<HostMessages>,
    token: AccessToken,
}

/// Why a request was not answered by a process.
enum ForwardFailure {
    /// No process got it.
    NotSent(String),
    /// The process has not answered. It may have begun to.
    Lost(String),
}

impl HostEndpoint {
    pub(super) fn new(program: Arc<dyn HttpProgram>, token: String, session: &DevSession) -> Self {
        let messages = Arc::new(HostMessages::new(session));
        Self { program, messages, token: AccessToken::of(token) }
    }

    /// Returns the path of the endpoint, with its token.
    pub(super) fn path(&self) -> String {
        format!("/mcp/{}", self.token.text())
    }

    /// Returns the route behind the token, and behind the guard of this service. A request without the token is refused
    /// before its body is read.
    pub(super) fn router(self: &Arc<Self>, service: &Service) -> Router {
        Router::new()
            .route("/mcp/{token}", any(forward))
            .route_layer(service.guard().max_body_size(LARGEST_BODY))
            .route_layer(middleware::from_fn_with_state(Arc::clone(self), require_token))
            .with_state(Arc::clone(self))
    }

    async fn send(
        &self,
        parts: &Parts,
        body: Bytes,
        messages: &HostRequest,
    ) -> Result<(JoinSet<()>, http::Response<Incoming>), ForwardFailure> {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let url = self.program.newest_url(left).await.map_err(ForwardFailure::NotSent)?;
            let endpoint = Endpoint::trusted(&url).map_err(ForwardFailure::NotSent)?;
            let connection = match RequestConnection::open(endpoint.authority()).await {
                Ok(connection) => connection,
                Err(why) if left.is_zero() => return Err(ForwardFailure::NotSent(why.into())),
                Err(_) => {
                    sleep(PAUSE).await;
                    continue;
                }
            };
            let request = request_to(&endpoint, parts, body);
            messages.leaves(&url, request.headers());
            return connection.send(request).await.map_err(|why| ForwardFailure::Lost(why.into()));
        }
    }
}

/// Refuses a request without the token, and one that a page of another site has caused.
async fn require_token(
    State(endpoint): State<Arc<HostEndpoint>>,
    Path(token): Path<String>,
    request: Request,
    next: Next,
) -> Response {
    if !endpoint.token.is(&token) {
        return StatusCode::NOT_FOUND.into_response();
    }
    if !is_of_this_site(request.headers()) {
        return StatusCode::FORBIDDEN.into_response();
    }
    next.run(request).await
}

/// Forwards a request. If the host closes its connection, this future or the body of the response is dropped, and with it
/// the connection to the process, which cancels the request there, too.
async fn forward(State(endpoint): State<Arc<HostEndpoint>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    // The guard has read the body, and has refused one that is too large or incomplete.
    let body = to_bytes(body, LARGEST_BODY).await.unwrap_or_default();
    let messages = endpoint.messages.request(&parts.headers, &body);
    let (connection, response) = match endpoint.send(&parts, body, &messages).await {
        Ok(answered) => answered,
        Err(why) => return unanswered(&messages, &why),
    };
    let (mut head, body) = response.into_parts();
    headers::remove_hop_by_hop(&mut head.headers);
    let messages = messages.answered(head.status, &head.headers);
    Response::from_parts(head, Body::new(ForwardedBody::new(body, messages, connection)))
}

/// Returns the request as the process gets it.
fn request_to(endpoint: &Endpoint, parts: &Parts, body: Bytes) -> http::Request<Full<Bytes>> {
    let mut request = http::Request::new(Full::from(body));
    *request.method_mut() = parts.method.clone();
    let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    *request.uri_mut() = format!("{}{query}", endpoint.path()).parse().unwrap_or_default();
    *request.headers_mut() = headers::forwarded(&parts.headers);
    request.headers_mut().extend(HeaderValue::from_str(endpoint.authority()).ok().map(|host| (HOST, host)));
    request
}

/// Answers a request that no process has answered, with an error that says why.
fn unanswered(messages: &HostRequest, why: &ForwardFailure) -> Response {
    let (status, why) = match why {
        ForwardFailure::NotSent(why) => (StatusCode::SERVICE_UNAVAILABLE, why.clone()),
        ForwardFailure::Lost(why) => {
            (StatusCode::BAD_GATEWAY, format!("the process of the server has ended, or was replaced: {why}"))
        }
    };
    // What is not JSON-RPC 2.0 with an id gets an error with the id `null`.
    let id = messages.id();
    let error = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": INTERNAL_ERROR, "message": why } });
    let mut response = json_body::reply(status, &error);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, RETRY.into());
    }
    messages.failed(status, response.headers(), &error.to_string());
    response
}
