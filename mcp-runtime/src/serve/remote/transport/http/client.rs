//! The HTTP client of an endpoint. It keeps connections open between requests.

use std::{error::Error as _, fmt, time::Duration};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::{
    client::legacy::Client,
    rt::{TokioExecutor, TokioTimer},
};

use super::connector::TimedConnector;
use crate::{base::error::chain, serve::remote::transport::TransferError};

/// How long an unused connection stays open. Some servers close one after 5 s, and a request that is sent at this moment
/// may be lost.
const IDLE: Duration = Duration::from_secs(4);

/// Clones share their connections. A request that is dropped closes its connection.
#[derive(Clone)]
pub(crate) struct HttpClient(Client<TimedConnector, Full<Bytes>>);

impl HttpClient {
    pub(super) fn new(connector: TimedConnector) -> Self {
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE);
        Self(builder.build(connector))
    }

    /// Sends a request, whose URI is complete. Waits for the head of the response.
    ///
    /// # Errors
    /// Returns the reason why there is no response.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, TransferError> {
        let authority = request.uri().authority().map(ToString::to_string).unwrap_or_default();
        self.0.request(request).await.map_err(|error| match error.source() {
            Some(source) if error.is_connect() => {
                TransferError::Unreachable(format!("cannot connect to `{authority}`: {}", chain(source)))
            }
            _ => TransferError::Broken(format!("the request to `{authority}` failed: {}", chain(&error))),
        })
    }
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpClient")
    }
}
