//! Serves one connection, from its first byte to its last.

use std::{
    convert::Infallible,
    future::poll_fn,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::{Poll, Waker},
    time::Duration,
};

use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite},
    sync::watch,
    time::{Instant, sleep_until, timeout},
};
use tower_service::Service;

use super::connection_timeouts::{Activity, Response, TrackedStream};
use crate::serve::http::{endpoint::Http, limits::HttpLimits};

/// The size of a connection's read and write buffers, unless the limit for the head of a request is larger.
const BUFFER: usize = 64 * 1024;

/// If a connection has no deadline now, the server checks the connection again after this time.
const LATER: Duration = Duration::from_secs(60);

/// How long the server reads the rest of a rejected request. If the server closed the connection earlier, the client
/// could lose the response.
const LINGER: Duration = Duration::from_secs(2);

/// The handlers and timeouts that all connections share.
pub(super) struct Connections {
    /// The endpoint, if it is not in the router.
    endpoint: Option<PlacedEndpoint>,
    /// Serves all other paths.
    others: Router,
    http: http1::Builder,
    head: Duration,
    idle: Duration,
}

/// An endpoint and its path.
#[derive(Clone)]
pub(super) struct PlacedEndpoint {
    http: Arc<Http>,
    /// The path without a slash at its end.
    path: Arc<str>,
}

impl PlacedEndpoint {
    pub(super) fn new(http: Arc<Http>, path: &str) -> Self {
        Self { http, path: path.trim_end_matches('/').into() }
    }

    /// Whether this path is that of the endpoint. A slash at the end makes no difference.
    fn is_at(&self, path: &str) -> bool {
        matches!(path.strip_prefix(&*self.path), Some("" | "/"))
    }
}

impl Connections {
    pub(super) fn new(endpoint: Option<PlacedEndpoint>, others: Router, limits: &HttpLimits) -> Self {
        let mut http = http1::Builder::new();
        // This module checks how long a head takes, because `hyper` has only one timeout for both heads and idle
        // connections.
        http.max_header_size(limits.header_size).max_buf_size(limits.header_size.max(BUFFER));
        Self { endpoint, others, http, head: limits.request_timeout, idle: limits.keep_alive }
    }

    /// Serves one connection until its client closes it, a timeout passes, or the server stops.
    pub(super) fn serve<S>(
        &self,
        stream: S,
        address: Option<SocketAddr>,
        mut stopping: watch::Receiver<()>,
    ) -> impl Future<Output = ()> + Send + use<S>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (head, idle) = (self.head, self.idle);
        let activity = Arc::new(Activity::new());
        let service = {
            let (endpoint, activity) = (self.endpoint.clone(), Arc::clone(&activity));
            let others = self.others.clone();
            service_fn(move |request: Request<Incoming>| {
                activity.answering();
                // Boxed, so that an idle connection does not reserve space for the future.
                let answer: PendingResponse = match &endpoint {
                    // The endpoint is called without a router, because a router would cost as much as a small call.
                    Some(endpoint) if endpoint.is_at(request.uri().path()) => {
                        let peer = address.map(|address| address.ip());
                        Box::pin(Arc::clone(&endpoint.http).respond(request, peer))
                    }
                    _ => Box::pin(route(others.clone(), request, address)),
                };
                let activity = Arc::clone(&activity);
                async move { Ok::<_, Infallible>(answer.await.map(|body| Response { body, activity })) }
            })
        };
        let stream = TokioIo::new(TrackedStream { stream, activity: Arc::clone(&activity) });
        let mut connection = self.http.serve_connection(stream, service);
        async move {
            let server = stopping.clone();
            let mut stop = pin!(stopping.changed());
            let mut stopped = false;
            // The waker that `stop` and `check` wake if they become ready.
            let mut registered: Option<Waker> = None;
            let deadline = || activity.deadline(head, idle);
            let mut check = pin!(sleep_until(deadline().unwrap_or_else(next_check)));
            let ended = poll_fn(|cx| {
                loop {
                    if Pin::new(&mut connection).poll(cx).is_ready() {
                        return Poll::Ready(true);
                    }
                    // Most wake-ups are for the connection, and the other two futures need no poll.
                    let is_earlier = deadline().is_some_and(|deadline| deadline < check.deadline());
                    let is_due = check.is_elapsed() || !stopped && server.has_changed().unwrap_or(true);
                    let is_registered = registered.as_ref().is_some_and(|waker| waker.will_wake(cx.waker()));
                    if is_registered && !is_earlier && !is_due {
                        return Poll::Pending;
                    }
                    if !stopped && stop.as_mut().poll(cx).is_ready() {
                        stopped = true;
                        if activity.is_idle() {
                            return Poll::Ready(false);
                        }
                        Pin::new(&mut connection).graceful_shutdown();
                        continue;
                    }
                    // Resets the timer only if it would fire too late, so most requests do not touch it.
                    if let Some(deadline) = deadline().filter(|deadline| *deadline < check.deadline()) {
                        check.as_mut().reset(deadline);
                    }
                    if check.as_mut().poll(cx).is_pending() {
                        registered = Some(cx.waker().clone());
                        return Poll::Pending;
                    }
                    match deadline() {
                        Some(deadline) if deadline <= Instant::now() => return Poll::Ready(false),
                        next => check.as_mut().reset(next.unwrap_or_else(next_check)),
                    }
                }
            });
            if ended.await {
                linger(connection.into_parts().io.into_inner().stream).await;
            }
        }
    }
}

/// The response to a request, when it is ready.
type PendingResponse = Pin<Box<dyn Future<Output = axum::response::Response> + Send>>;

/// Passes a request to the router.
async fn route(
    mut router: Router,
    request: Request<Incoming>,
    address: Option<SocketAddr>,
) -> axum::response::Response {
    let mut request = request.map(Body::new);
    if let Some(address) = address {
        request.extensions_mut().insert(ConnectInfo(address));
    }
    let Ok(response) = router.call(request).await;
    response
}

fn next_check() -> Instant {
    Instant::now() + LATER
}

/// Reads and discards the client's remaining input, until the client closes the connection or [`LINGER`] has passed.
async fn linger(mut stream: impl AsyncRead + Unpin) {
    let reading = async {
        // On the heap: an array would be part of the future of every open connection.
        let mut rest = vec![0; 4096];
        while matches!(stream.read(&mut rest).await, Ok(1..)) {}
    };
    let _ = timeout(LINGER, reading).await;
}
