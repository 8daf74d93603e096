//! A connection for one request.

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::{
    body::Incoming,
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, task::JoinSet};

use crate::serve::remote::transport::TransferError;

/// An open connection, which sends one request.
pub(crate) struct RequestConnection<'a> {
    address: &'a str,
    sender: SendRequest<Full<Bytes>>,
    running: JoinSet<()>,
}

impl<'a> RequestConnection<'a> {
    /// Connects to this host and port.
    ///
    /// # Errors
    /// Returns the reason why nothing listens there.
    pub(crate) async fn open(address: &'a str) -> Result<Self, TransferError> {
        let stream = TcpStream::connect(address).await;
        let stream =
            stream.map_err(|error| TransferError::Unreachable(format!("cannot connect to `{address}`: {error}")))?;
        // Without it, parts of a request wait for each other. Fails only if the connection is closed already.
        let _ = stream.set_nodelay(true);
        let (sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|e| TransferError::Unreachable(failed(address, &e)))?;
        let mut running = JoinSet::new();
        running.spawn(async move { drop(connection.await) });
        Ok(Self { address, sender, running })
    }

    /// Sends the request. The connection closes when the returned `JoinSet` is dropped.
    ///
    /// # Errors
    /// Returns the reason why there is no response.
    pub(crate) async fn send(
        mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<(JoinSet<()>, Response<Incoming>), TransferError> {
        let response = self.sender.send_request(request).await;
        let response = response.map_err(|error| TransferError::Broken(failed(self.address, &error)))?;
        Ok((self.running, response))
    }
}

fn failed(address: &str, error: &hyper::Error) -> String {
    format!("the request to `{address}` failed: {error}")
}
