//! The server's own listener: accepts connections, limits their number, and closes them on shutdown.

mod connection;
mod connection_timeouts;
mod root_page;

use std::{io, net::SocketAddr, time::Duration};

use axum::Router;
use tokio::{
    net::{TcpListener, TcpStream, ToSocketAddrs},
    sync::watch,
    task::JoinSet,
    time::{Instant, timeout},
};

use self::connection::{Connections, PlacedEndpoint};
use super::shared::warnings::warn_of_address;
use crate::serve::server::Service;

/// The delay after a failed `accept`. Most failures occur because no file descriptor is free. A descriptor becomes free
/// when a connection ends.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// The shortest time between two reports of failed `accept`s.
const REPORT_INTERVAL: Duration = Duration::from_secs(60);

/// How long the last responses can take to be written after all calls and streams have ended.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// The path of the endpoint on the server's own listener.
pub(crate) const PATH: &str = "/mcp";

impl Service {
    /// Serves the endpoint `/mcp` at an address until the future `shutdown` is ready. Then shuts down as
    /// [`Service::shutdown`] does, with the period [`Server::shutdown_grace`](crate::Server::shutdown_grace), and
    /// closes all idle connections. Also serves the [health checks](Self::health_router), and the
    /// [landing page](crate::Server::landing_page) at `/` if the server has one.
    ///
    /// # Errors
    /// Returns an error if the address cannot be bound.
    pub async fn serve_http(
        &self,
        address: impl ToSocketAddrs,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let listener = TcpListener::bind(address).await?;
        self.serve_listener(listener, shutdown).await;
        Ok(())
    }

    /// Serves the endpoint `/mcp` like [`serve_http`](Self::serve_http), on a listener of your own:
    ///
    /// ```no_run
    /// # async fn serve(service: mcp_runtime::Service) -> std::io::Result<()> {
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    /// println!("http://{}/mcp", listener.local_addr()?);
    /// service.serve_listener(listener, std::future::pending()).await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn serve_listener(&self, listener: TcpListener, shutdown: impl Future<Output = ()> + Send + 'static) {
        self.serve_listener_at(PATH, listener, shutdown).await;
    }

    /// Serves the endpoint like [`serve_listener`](Self::serve_listener), at this path.
    pub(crate) async fn serve_listener_at(
        &self,
        path: &str,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) {
        let others = self.metadata_of_host(path.trim_end_matches('/')).merge(self.health_router());
        let others = others.merge(self.root_page_router(path));
        let endpoint = PlacedEndpoint::new(self.endpoint(), path);
        self.serve_routes(listener, Some(endpoint), others, shutdown).await;
    }

    /// Serves an application, in whose router this service is mounted beside other routes, until the future `shutdown`
    /// is ready. Use it in place of `axum::serve`: it shuts down like [`serve_http`](Self::serve_http), it limits the
    /// connections and the time of a request's head as [`HttpLimits`](crate::http::HttpLimits) says, and it tells the quotas
    /// the address of each client ([`ConnectInfo`](axum::extract::ConnectInfo)).
    ///
    /// ```no_run
    /// # use mcp_runtime::Service;
    /// # async fn serve(service: Service) -> std::io::Result<()> {
    /// let app = axum::Router::new().merge(service.mount("/mcp")).merge(service.health_router());
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    /// service.serve_app(listener, app, async { drop(tokio::signal::ctrl_c().await) }).await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn serve_app(
        &self,
        listener: TcpListener,
        app: Router,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) {
        self.serve_routes(listener, None, app, shutdown).await;
    }

    async fn serve_routes(
        &self,
        listener: TcpListener,
        endpoint: Option<PlacedEndpoint>,
        others: Router,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) {
        let http = self.http();
        let limits = &http.limits;
        self.0.begin_loading();
        if let Ok(address) = listener.local_addr() {
            warn_of_address(self, address);
        }
        let connections = Connections::new(endpoint, others, limits);
        let (running, stopping) = watch::channel(());
        let mut open = JoinSet::new();
        let mut shutdown = std::pin::pin!(shutdown);
        let mut reported = None;
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                Some(_) = open.join_next() => {}
                accepted = accept(&listener, &mut reported), if open.len() < limits.connections => {
                    if let Some((stream, address)) = accepted {
                        open.spawn(connections.serve(stream, Some(address), stopping.clone()));
                    }
                }
            }
        }
        drop((running, stopping));
        let mut ended = std::pin::pin!(self.shutdown(self.0.settings.limits.shutdown_grace));
        // Keep listening: clients of sessions answer the questions of their calls on new connections.
        let mut listener = Some(listener);
        let (last, stopping) = watch::channel(());
        loop {
            listener.take_if(|_| !http.lifecycle.have_calls());
            tokio::select! {
                () = &mut ended => break,
                Some(_) = open.join_next() => {}
                Some(accepted) = accept_if_some(listener.as_ref(), &mut reported), if open.len() < limits.connections => {
                    if let Some((stream, address)) = accepted {
                        open.spawn(connections.serve(stream, Some(address), stopping.clone()));
                    }
                }
            }
        }
        drop((listener, last));
        let _ = timeout(FLUSH_TIMEOUT, async { while open.join_next().await.is_some() {} }).await;
        open.shutdown().await;
    }
}

async fn accept_if_some(
    listener: Option<&TcpListener>,
    reported: &mut Option<Instant>,
) -> Option<Option<(TcpStream, SocketAddr)>> {
    Some(accept(listener?, reported).await)
}

/// Accepts a connection. Returns `None` after a failure, which is reported at most once a minute.
async fn accept(listener: &TcpListener, reported: &mut Option<Instant>) -> Option<(TcpStream, SocketAddr)> {
    match listener.accept().await {
        Ok((stream, address)) => {
            // Sends each event at once, without waiting for the client to acknowledge the previous event.
            let _ = stream.set_nodelay(true);
            Some((stream, address))
        }
        Err(error) if is_of_connection(&error) => None,
        Err(error) => {
            if reported.is_none_or(|reported| reported.elapsed() > REPORT_INTERVAL) {
                *reported = Some(Instant::now());
                crate::report!("cannot accept connections for now: {error}");
            }
            tokio::time::sleep(RETRY_DELAY).await;
            None
        }
    }
}

/// Whether the error concerns only one connection. If it does, the listener can still accept other connections.
fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Serves one connection over an in-memory stream.
#[cfg(fuzzing)]
pub(crate) async fn fuzz_connection(service: &Service, stream: tokio::io::DuplexStream) {
    let (_running, stopping) = watch::channel(());
    let endpoint = PlacedEndpoint::new(service.endpoint(), PATH);
    let connections = Connections::new(Some(endpoint), service.health_router(), &service.http().limits);
    connections.serve(stream, None, stopping).await;
}
