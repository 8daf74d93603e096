//! How the endpoints of a service end: first no idle streams, then no new calls, then no calls at all.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::timeout;

use super::Http;
use crate::{
    mutex::Mutex,
    protocol::error::RpcError,
    server::{
        Service,
        connection::Connection,
        work_count::{Counted, WorkCount},
    },
};

/// How long calls that were cut off have to hand over what must not be left half done.
const HANDOVER: Duration = Duration::from_secs(1);

/// How far a service is in its life, and what it still has to answer.
#[derive(Default)]
pub(super) struct Lifecycle {
    /// Whether idle streams have ended for good.
    retired: AtomicBool,
    /// Requests that are being answered.
    exchanges: WorkCount,
    endpoints: Mutex<Vec<Weak<Http>>>,
}

/// The connections of requests that stand alone and are not answered at once.
#[derive(Default)]
pub(super) struct Standalone(Mutex<Vec<Weak<Connection>>>);

impl Service {
    /// Says that the service will shut down soon: [`/health/ready`](Self::health_router) answers 503, so that load
    /// balancers send it nothing more, and the idle streams end that clients of sessions hold open with `GET`, now and
    /// from now on. It serves every other request as before. Call it some seconds before [`shutdown`](Self::shutdown).
    pub fn retire(&self) {
        let lifecycle = &self.http().lifecycle;
        lifecycle.retired.store(true, Ordering::Release);
        lifecycle.endpoints().iter().for_each(|endpoint| endpoint.sessions.stop_listening());
    }

    /// Ends every call and every stream that the service has over HTTP, and returns when there are none. This is for an
    /// application that mounts the service in a listener of its own; [`serve_http`](Self::serve_http) and
    /// [`serve_listener`](Self::serve_listener) do the same.
    ///
    /// 1. The service [retires](Self::retire). A new call gets 503, and `Connection: close`, before anything of it runs.
    /// 2. For at most `grace`, calls that run go on, and their clients are still answered: they may post the answers to
    ///    questions of their calls and come back to a stream that broke. It returns as soon as nothing is left.
    /// 3. After that, calls that still run are cancelled. Their clients get an error, and every session and stream ends.
    ///    Only an `after` or a step that has begun goes on, for at most `grace` once more.
    ///
    /// Give it to `axum` as the signal to shut down. `axum` then keeps accepting connections until every call has ended,
    /// and finds no stream that would hold it up:
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
    /// A service that was shut down begins no further call.
    pub async fn shutdown(&self, grace: Duration) {
        self.retire();
        self.0.stop();
        let lifecycle = &self.http().lifecycle;
        let endpoints = lifecycle.endpoints();
        if timeout(grace, lifecycle.settled(&endpoints)).await.is_err() {
            endpoints.iter().for_each(|endpoint| endpoint.cut_off());
            let handed_over = async {
                for endpoint in &endpoints {
                    endpoint.rooms.wait_until_none_runs().await;
                }
            };
            let _ = timeout(HANDOVER, handed_over).await;
        }
        endpoints.iter().for_each(|endpoint| endpoint.sessions.end());
        let _ = timeout(grace, self.0.detached.wait()).await;
    }
}

impl Lifecycle {
    /// Whether idle streams have ended for good.
    pub(super) fn is_retired(&self) -> bool {
        self.retired.load(Ordering::Acquire)
    }

    /// Counts a request until it is answered.
    pub(super) fn enter(&self) -> Counted {
        self.exchanges.enter()
    }

    pub(super) fn add(&self, endpoint: &Arc<Http>) {
        let mut endpoints = self.endpoints.lock();
        endpoints.retain(|endpoint| endpoint.strong_count() > 0);
        endpoints.push(Arc::downgrade(endpoint));
    }

    fn endpoints(&self) -> Vec<Arc<Http>> {
        self.endpoints.lock().iter().filter_map(Weak::upgrade).collect()
    }

    /// Waits until no call runs and every client has what it waits for.
    async fn settled(&self, endpoints: &[Arc<Http>]) {
        for endpoint in endpoints {
            for session in endpoint.sessions.all() {
                session.connection.wait_until_idle().await;
            }
        }
        let is_read =
            || endpoints.iter().all(|endpoint| endpoint.sessions.all().iter().all(|session| session.is_read()));
        self.exchanges.wait_until(is_read).await;
    }
}

impl Http {
    /// Ends the calls that still run, with an error for their clients.
    fn cut_off(&self) {
        let error = RpcError::internal(
            "this server shut down before the call ended; whether the call took effect is not known",
        );
        self.standalone.all().iter().for_each(|connection| connection.refuse_all(&error));
        self.sessions.all().iter().for_each(|session| session.connection.refuse_all(&error));
    }
}

impl Standalone {
    pub(super) fn add(&self, connection: &Arc<Connection>) {
        let mut connections = self.0.lock();
        // Those that are over are looked for when the list would grow.
        if connections.len() == connections.capacity() {
            connections.retain(|connection| connection.strong_count() > 0);
        }
        connections.push(Arc::downgrade(connection));
    }

    fn all(&self) -> Vec<Arc<Connection>> {
        self.0.lock().iter().filter_map(Weak::upgrade).collect()
    }
}
