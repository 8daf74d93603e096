//! The page and its interface, on the loopback address, and beside it the endpoint for hosts.

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

use axum::Router;
use tokio::net::TcpListener;

use self::{access::PageToken, routes::Page};
use super::{
    forward::HostEndpoint,
    session::{DevSession, SessionOptions, api::state::SessionSource, model::DevModel, recording},
    target::{DevTarget, HttpProgram},
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
    /// Whether the page and its interface are served.
    pub(crate) has_page: bool,
    /// The program to which the requests of hosts are forwarded, and the token in their address.
    pub(crate) hosts: Option<(Arc<dyn HttpProgram>, String)>,
}

/// A page that is served. It ends when this value is dropped or [`run`](Self::run) ends.
pub(crate) struct ServedPage {
    pub(crate) session: Arc<DevSession>,
    pub(crate) address: SocketAddr,
    token: PageToken,
    has_page: bool,
    hosts: Option<Arc<HostEndpoint>>,
    listener: TcpListener,
    service: Service,
}

/// Prepares the page of a server. Serves nothing before [`ServedPage::run`].
///
/// # Errors
/// Fails if the port cannot be used.
pub(crate) async fn serve(target: Arc<dyn DevTarget>, options: PageOptions) -> Result<ServedPage, String> {
    let PageOptions { port, program, source, secrets, has_page, hosts } = options;
    let model = DevModel::of_environment();
    let session = DevSession::begin(target, SessionOptions { program, source, model, secrets });
    let hosts = hosts.map(|(program, token)| Arc::new(HostEndpoint::new(program, token, &session)));
    let page = ServedPage::new(session, port).await.map_err(|error| unusable(port, &error))?;
    Ok(ServedPage { has_page, hosts, ..page })
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
        Ok(Self { session, address, token: PageToken::random(), has_page: true, hosts: None, listener, service })
    }

    /// Returns the address of the page, with its token, if the page is served.
    pub(crate) fn url(&self) -> Option<String> {
        self.has_page.then(|| format!("http://{}/?token={}", self.address, self.token.text()))
    }

    /// Returns the address for hosts, with its token, if hosts can connect.
    pub(crate) fn host_url(&self) -> Option<String> {
        self.hosts.as_ref().map(|hosts| format!("http://{}{}", self.address, hosts.path()))
    }

    /// Serves the page until `shutdown` is ready.
    pub(crate) async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) {
        let Self { session, token, has_page, hosts, listener, service, .. } = self;
        let page = has_page.then(|| routes::router(Page { session, token: Arc::new(token) }, &service));
        let hosts = hosts.map(|hosts| hosts.router(&service));
        let router = page.into_iter().chain(hosts).fold(Router::new(), Router::merge);
        service.serve_app(listener, router, shutdown).await;
    }
}
