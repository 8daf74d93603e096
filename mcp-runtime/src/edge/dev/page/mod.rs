//! The page and its interface, on the loopback address.

mod access;
mod body;
mod document;
mod error;
mod events;
mod query;
mod routes;
#[cfg(test)]
mod tests;

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::Arc,
};

use tokio::net::TcpListener;

use self::{access::PageToken, routes::Page};
use super::{
    session::{DevSession, SessionOptions, api::state::SessionSource, model::DevModel, recording},
    target::DevTarget,
};
use crate::serve::{
    http::AllowedHosts,
    server::{Server, Service},
};

/// What the page needs to know.
pub(crate) struct PageOptions {
    /// The port on the loopback address. 0 chooses one.
    pub(crate) port: u16,
    /// The name of the program.
    pub(crate) program: String,
    pub(crate) source: SessionSource,
    /// The values of secret settings, which are in no recording.
    pub(crate) secrets: Vec<String>,
}

/// A page that is served. It ends when this value is dropped or [`run`](Self::run) ends.
pub(crate) struct ServedPage {
    pub(crate) session: Arc<DevSession>,
    pub(crate) address: SocketAddr,
    token: PageToken,
    listener: TcpListener,
    service: Service,
}

/// Prepares the page of a server. Serves nothing before [`ServedPage::run`].
///
/// # Errors
/// Fails if the port cannot be used.
pub(crate) async fn serve(target: Arc<dyn DevTarget>, options: PageOptions) -> Result<ServedPage, String> {
    let PageOptions { port, program, source, secrets } = options;
    let model = DevModel::of_environment();
    let session = DevSession::begin(target, SessionOptions { program, source, model, secrets });
    ServedPage::new(session, port).await.map_err(|error| unusable(port, &error))
}

/// Prepares the page of a recording.
///
/// # Errors
/// Fails if the file is not a recording, or the port cannot be used.
pub(crate) async fn serve_recording(file: &Path, port: u16) -> Result<ServedPage, String> {
    ServedPage::new(recording::open(file)?, port).await.map_err(|error| unusable(port, &error))
}

fn unusable(port: u16, error: &io::Error) -> String {
    format!("the page cannot be served at port {port}: {error}")
}

impl ServedPage {
    async fn new(session: Arc<DevSession>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let port = address.port();
        let hosts = AllowedHosts::new([format!("127.0.0.1:{port}"), format!("localhost:{port}")]);
        let origins = hosts.only_origins([format!("http://127.0.0.1:{port}"), format!("http://localhost:{port}")]);
        // The guard and the listener are those of any other endpoint.
        let service = Server::new("dev-page", env!("CARGO_PKG_VERSION")).without_warnings().allowed_hosts(origins);
        let service = service.build().map_err(io::Error::other)?;
        Ok(Self { session, address, token: PageToken::random(), listener, service })
    }

    /// Returns the address of the page, with its token.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token.text())
    }

    /// Serves the page until `shutdown` is ready.
    pub(crate) async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) {
        let Self { session, token, listener, service, .. } = self;
        let router = routes::router(Page { session, token: Arc::new(token) }, &service);
        service.serve_app(listener, router, shutdown).await;
    }
}
