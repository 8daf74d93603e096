//! The server's own connections: accepted, bounded, and ended.

mod connection;
mod connection_timeouts;

use std::{io, net::IpAddr, sync::Arc, time::Duration};

use tokio::{
    net::{TcpListener, TcpStream, ToSocketAddrs},
    sync::watch,
    task::JoinSet,
    time::{Instant, timeout},
};

use self::connection::Connections;
use super::warnings::warn_of_address;
use crate::server::Service;

/// After a connection could not be accepted, most often for want of file descriptors: others may end until then.
const BREATH: Duration = Duration::from_millis(100);

/// So long nothing is said about connections that could not be accepted, after something was.
const QUIET: Duration = Duration::from_secs(60);

/// How long the last responses may take to leave, after everything has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

impl Service {
    /// Serves the endpoint `/mcp` at an address until the future `shutdown` is ready. Then it does what
    /// [`Service::shutdown`] does, within [`Server::shutdown_grace`](crate::Server::shutdown_grace), and closes every
    /// connection on which nothing is answered. Load balancers may ask for [`/health`](Self::health_router).
    ///
    /// # Errors
    /// The address cannot be listened at.
    pub async fn serve_http(
        &self,
        address: impl ToSocketAddrs,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let listener = TcpListener::bind(address).await?;
        self.serve_listener(listener, shutdown).await;
        Ok(())
    }

    /// The same, where somebody listens already: at a port that was asked for, or with a socket that was handed over.
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
        let http = self.http();
        let limits = &http.limits;
        if let Ok(address) = listener.local_addr() {
            warn_of_address(self, address);
        }
        let others = self.metadata_of_host().merge(self.health_router());
        let endpoint = self.endpoint();
        let connections = Connections::new(Arc::clone(&endpoint), others, limits);
        let (running, stopping) = watch::channel(());
        let mut open = JoinSet::new();
        let mut shutdown = std::pin::pin!(shutdown);
        let mut told = None;
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                Some(_) = open.join_next() => {}
                accepted = accept(&listener, &mut told), if open.len() < limits.connections => {
                    if let Some((stream, address)) = accepted {
                        open.spawn(connections.serve(stream, Some(address), stopping.clone()));
                    }
                }
            }
        }
        drop((running, stopping));
        let mut ended = std::pin::pin!(self.shutdown(self.0.limits.shutdown_grace));
        // Clients of sessions answer the questions of their calls by connections of their own.
        let mut listener = Some(listener);
        let (last, stopping) = watch::channel(());
        loop {
            listener.take_if(|_| !endpoint.sessions.have_calls());
            tokio::select! {
                () = &mut ended => break,
                Some(_) = open.join_next() => {}
                Some(accepted) = accept_if_some(listener.as_ref(), &mut told), if open.len() < limits.connections => {
                    if let Some((stream, address)) = accepted {
                        open.spawn(connections.serve(stream, Some(address), stopping.clone()));
                    }
                }
            }
        }
        drop((listener, last));
        let _ = timeout(LAST_WORDS, async { while open.join_next().await.is_some() {} }).await;
        open.shutdown().await;
    }
}

async fn accept_if_some(
    listener: Option<&TcpListener>,
    told: &mut Option<Instant>,
) -> Option<Option<(TcpStream, IpAddr)>> {
    Some(accept(listener?, told).await)
}

/// The next connection, and the address of its client. Nothing after one that failed: that ends no other, and is told now and then.
async fn accept(listener: &TcpListener, told: &mut Option<Instant>) -> Option<(TcpStream, IpAddr)> {
    match listener.accept().await {
        Ok((stream, address)) => {
            // An event is smaller than a packet and must not wait for the client's word on the one before.
            let _ = stream.set_nodelay(true);
            Some((stream, address.ip()))
        }
        Err(error) if is_of_connection(&error) => None,
        Err(error) => {
            if told.is_none_or(|told| told.elapsed() > QUIET) {
                *told = Some(Instant::now());
                crate::report!("cannot accept connections for now: {error}");
            }
            tokio::time::sleep(BREATH).await;
            None
        }
    }
}

/// Whether only the client that was to be accepted has gone.
fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// One connection, from its first byte to its last.
#[cfg(fuzzing)]
pub(crate) async fn fuzz_connection(service: &Service, stream: tokio::io::DuplexStream) {
    let (_running, stopping) = watch::channel(());
    let connections = Connections::new(service.endpoint(), service.health_router(), &service.http().limits);
    connections.serve(stream, None, stopping).await;
}
