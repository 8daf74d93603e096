//! One connection, from its first byte to its last.

use std::{
    convert::Infallible,
    future::poll_fn,
    net::IpAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use axum::{Router, body::Body};
use hyper::{
    Request,
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite},
    sync::watch,
    time::{Instant, sleep_until, timeout},
};

use super::connection_timeouts::{Pace, Paced, Response};
use crate::http::{Http, HttpLimits};

/// So much of what a connection reads or writes is held at once, and at least as much as the head of a request.
const BUFFER: usize = 64 * 1024;

/// A connection that has no limit now is looked at again after so long.
const LATER: Duration = Duration::from_secs(60);

/// So long the rest of a request is read that was refused: a client that still sends when its connection is closed would
/// lose the answer.
const LINGER: Duration = Duration::from_secs(2);

/// Where the server's own connections have the endpoint.
const PATH: &str = "/mcp";

/// How connections are served.
pub(super) struct Connections {
    endpoint: Arc<Http>,
    /// All other paths.
    others: Router,
    http: http1::Builder,
    head: Duration,
    idle: Duration,
}

impl Connections {
    pub(super) fn new(endpoint: Arc<Http>, others: Router, limits: &HttpLimits) -> Self {
        let mut http = http1::Builder::new();
        // How long a head may take is kept here, beside the time between two requests: `hyper` has one for both.
        http.max_header_size(limits.header_size).max_buf_size(limits.header_size.max(BUFFER));
        Self { endpoint, others, http, head: limits.request_timeout, idle: limits.keep_alive }
    }

    /// Answers the requests of one connection until its client has no more, does not get on, or the server stops.
    pub(super) fn serve<S>(
        &self,
        stream: S,
        address: Option<IpAddr>,
        mut stopping: watch::Receiver<()>,
    ) -> impl Future<Output = ()> + Send + use<S>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (head, idle) = (self.head, self.idle);
        let pace = Arc::new(Pace::new());
        let service = {
            let (endpoint, pace) = (Arc::clone(&self.endpoint), Arc::clone(&pace));
            let others = TowerToHyperService::new(self.others.clone());
            service_fn(move |request: Request<Incoming>| {
                pace.answering();
                let request = request.map(Body::new);
                // A router in between would cost as much as all of a small call.
                let answer = if request.uri().path() == PATH { Ok(Arc::clone(&endpoint)) } else { Err(others.clone()) };
                let pace = Arc::clone(&pace);
                async move {
                    let response = match answer {
                        // Boxed, or every connection would keep the place of it while it waits for a request.
                        Ok(endpoint) => Box::pin(endpoint.respond(request, address)).await,
                        Err(others) => others.call(request).await?,
                    };
                    Ok::<_, Infallible>(response.map(|body| Response::new(body, pace)))
                }
            })
        };
        let stream = TokioIo::new(Paced::new(stream, Arc::clone(&pace)));
        let mut connection = self.http.serve_connection(stream, service);
        async move {
            let mut stop = pin!(stopping.changed());
            let mut stopped = false;
            let deadline = || pace.deadline(head, idle);
            let mut check = pin!(sleep_until(deadline().unwrap_or_else(later)));
            let ended = poll_fn(|cx| {
                loop {
                    if Pin::new(&mut connection).poll(cx).is_ready() {
                        return Poll::Ready(true);
                    }
                    if !stopped && stop.as_mut().poll(cx).is_ready() {
                        stopped = true;
                        if pace.is_idle() {
                            return Poll::Ready(false);
                        }
                        Pin::new(&mut connection).graceful_shutdown();
                        continue;
                    }
                    // Set anew only when it would come too late: most requests need not touch it.
                    if let Some(deadline) = deadline().filter(|deadline| *deadline < check.deadline()) {
                        check.as_mut().reset(deadline);
                    }
                    if check.as_mut().poll(cx).is_pending() {
                        return Poll::Pending;
                    }
                    match deadline() {
                        Some(deadline) if deadline <= Instant::now() => return Poll::Ready(false),
                        next => check.as_mut().reset(next.unwrap_or_else(later)),
                    }
                }
            });
            if ended.await {
                linger(connection.into_parts().io.into_inner().into_inner()).await;
            }
        }
    }
}

fn later() -> Instant {
    Instant::now() + LATER
}

/// Reads what a client still sends, until it has seen the end itself.
async fn linger(mut stream: impl AsyncRead + Unpin) {
    let reading = async {
        // An array would be part of every connection that is still open.
        let mut rest = vec![0; 4096];
        while matches!(stream.read(&mut rest).await, Ok(1..)) {}
    };
    let _ = timeout(LINGER, reading).await;
}
