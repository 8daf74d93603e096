//! Opens connections, with TLS where the feature `remote` is enabled, and does not wait for ever.

use std::{
    error::Error,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use http::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use tokio::time::timeout;
use tower_service::Service;

/// How long it may take to open a connection, with TLS.
const CONNECT: Duration = Duration::from_secs(10);

#[cfg(feature = "remote")]
type OpenConnector = hyper_rustls::HttpsConnector<HttpConnector>;
#[cfg(not(feature = "remote"))]
type OpenConnector = HttpConnector;

type BoxError = Box<dyn Error + Send + Sync>;

#[derive(Clone)]
pub(super) struct TimedConnector(OpenConnector);

impl TimedConnector {
    /// Creates a connector without TLS.
    #[cfg(not(feature = "remote"))]
    pub(super) fn new() -> Self {
        Self(tcp())
    }

    /// Creates a connector with this TLS configuration.
    #[cfg(feature = "remote")]
    pub(super) fn new(config: rustls::ClientConfig) -> Self {
        let mut tcp = tcp();
        tcp.enforce_http(false);
        let builder = hyper_rustls::HttpsConnectorBuilder::new().with_tls_config(config);
        Self(builder.https_or_http().enable_http1().wrap_connector(tcp))
    }
}

fn tcp() -> HttpConnector {
    let mut tcp = HttpConnector::new();
    // Without it, parts of a request wait for each other.
    tcp.set_nodelay(true);
    // It is divided between the addresses of a name.
    tcp.set_connect_timeout(Some(CONNECT));
    tcp
}

impl Service<Uri> for TimedConnector {
    type Response = <OpenConnector as Service<Uri>>::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.0.poll_ready(cx).map_err(Into::into)
    }

    #[allow(clippy::useless_conversion, reason = "without TLS, the error has another type")]
    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.0.call(uri);
        Box::pin(async move {
            let Ok(connected) = timeout(CONNECT, connecting).await else {
                return Err(format!("no connection within {} s", CONNECT.as_secs()).into());
            };
            connected.map_err(Into::into)
        })
    }
}
