//! Shuts down the endpoints of a service: ends idle streams, then rejects new calls, then ends calls in flight.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::timeout;

use crate::{
    base::{mutex::Mutex, work_count::WorkCount},
    serve::{
        http::session::Sessions,
        server::{Service, connection::Connection},
    },
    wire::protocol::error::RpcError,
};

/// How long a shutdown waits for cancelled calls. If an `after` or a step of a cancelled call still runs, the call
/// moves this work to a separate task within this time.
const HANDOVER: Duration = Duration::from_secs(1);

/// The shutdown state of a service, and the requests in flight.
#[derive(Default)]
pub(crate) struct Lifecycle {
    /// Whether the service has retired.
    retired: AtomicBool,
    /// The requests that are being answered.
    pub(crate) exchanges: WorkCount,
    endpoints: Mutex<Vec<Weak<EndpointCalls>>>,
}

/// The calls of an endpoint.
pub(crate) struct EndpointCalls {
    pub(crate) sessions: Sessions,
    pub(crate) standalone: Standalone,
}

/// The connections of the unanswered requests. Only contains requests that belong to no session.
#[derive(Default)]
pub(crate) struct Standalone(Mutex<Vec<Weak<Connection>>>);

impl Service {
    /// Announces that the service will shut down soon. After this call, [`/health/ready`](Self::health_router) answers
    /// 503, so that load balancers send no more requests. The server ends the idle streams that clients have opened
    /// with `GET`, and the subscriptions of `subscriptions/listen`. It rejects new streams and subscriptions of these
    /// kinds, and serves all other requests as before. Call this function some seconds before
    /// [`shutdown`](Self::shutdown).
    pub fn retire(&self) {
        let lifecycle = &self.http().lifecycle;
        lifecycle.retired.store(true, Ordering::Release);
        lifecycle.endpoints().iter().for_each(|endpoint| endpoint.sessions.stop_listening());
        self.0.extensions.iter().for_each(|extension| extension.end_all_notices());
    }

    /// Ends all calls and streams of the service over HTTP, and returns when none is left. Use it in an application
    /// that has its own listener; [`serve_http`](Self::serve_http) and [`serve_listener`](Self::serve_listener) call
    /// this function themselves.
    ///
    /// 1. The service [retires](Self::retire). A new call gets 503 with `Connection: close` and does not run.
    /// 2. For at most `grace`, running calls continue, and their clients can still post answers to questions and resume
    ///    a broken stream. If all calls end earlier, the function returns.
    /// 3. After `grace`, calls that still run are cancelled. Their clients get an error, and every session and stream
    ///    ends. Only a phase `after` or a step that has already begun continues, for at most another `grace`.
    ///
    /// With `axum`, call this function at the end of the future that you pass as the shutdown signal. `axum` then
    /// accepts connections until every call has ended, and open streams do not delay the shutdown:
    ///
    /// ```no_run
    /// use std::time::Duration;
    ///
    /// use axum::Router;
    /// # async fn serve(service: mcp_runtime::Service) -> std::io::Result<()> {
    /// let app: Router = Router::new().merge(service.mount("/mcp")).merge(service.health_router());
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    /// let shutdown = async move {
    ///     drop(tokio::signal::ctrl_c().await);
    ///     service.shutdown(Duration::from_secs(10)).await;
    /// };
    /// axum::serve(listener, app).with_graceful_shutdown(shutdown).await
    /// # }
    /// ```
    ///
    /// After a shutdown, the service rejects all calls.
    pub async fn shutdown(&self, grace: Duration) {
        self.retire();
        self.0.stop();
        let lifecycle = &self.http().lifecycle;
        let endpoints = lifecycle.endpoints();
        if timeout(grace, lifecycle.settled(&endpoints)).await.is_err() {
            endpoints.iter().for_each(|endpoint| endpoint.cut_off());
            let _ = timeout(HANDOVER, self.http().rooms.wait_until_none_runs()).await;
        }
        endpoints.iter().for_each(|endpoint| endpoint.sessions.end());
        let _ = timeout(grace, self.0.durable.detached.wait()).await;
    }
}

impl Lifecycle {
    /// Whether the service has retired.
    pub(crate) fn is_retired(&self) -> bool {
        self.retired.load(Ordering::Acquire)
    }

    pub(crate) fn add(&self, endpoint: &Arc<EndpointCalls>) {
        let mut endpoints = self.endpoints.lock();
        endpoints.retain(|endpoint| endpoint.strong_count() > 0);
        endpoints.push(Arc::downgrade(endpoint));
    }

    /// Whether a session has a call in flight.
    pub(crate) fn have_calls(&self) -> bool {
        self.endpoints().iter().any(|endpoint| endpoint.sessions.have_calls())
    }

    fn endpoints(&self) -> Vec<Arc<EndpointCalls>> {
        self.endpoints.lock().iter().filter_map(Weak::upgrade).collect()
    }

    /// Waits until no call runs and every answer is sent.
    async fn settled(&self, endpoints: &[Arc<EndpointCalls>]) {
        let sessions = || endpoints.iter().flat_map(|endpoint| endpoint.sessions.all());
        for session in sessions() {
            session.connection.calls().wait_until_empty().await;
        }
        let is_read = || sessions().all(|session| session.streams.lock().is_read());
        self.exchanges.wait_until(is_read).await;
    }
}

impl EndpointCalls {
    /// Cancels the calls that still run, and sends an error to their clients.
    fn cut_off(&self) {
        let error = RpcError::internal(
            "this server shut down before the call ended; whether the call took effect is not known",
        );
        self.standalone.all().iter().for_each(|connection| connection.calls().refuse_all(&error));
        self.sessions.all().iter().for_each(|session| session.connection.calls().refuse_all(&error));
    }
}

impl Standalone {
    pub(crate) fn add(&self, connection: &Arc<Connection>) {
        let mut connections = self.0.lock();
        // Closed connections are removed when the list would grow.
        if connections.len() == connections.capacity() {
            connections.retain(|connection| connection.strong_count() > 0);
        }
        connections.push(Arc::downgrade(connection));
    }

    fn all(&self) -> Vec<Arc<Connection>> {
        self.0.lock().iter().filter_map(Weak::upgrade).collect()
    }
}
