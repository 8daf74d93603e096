//! Connections of a client to a server that is not in its own process: to a child process over its standard streams, or
//! to a URL over HTTP.

mod error;
#[cfg(any(feature = "http", feature = "remote"))]
pub(crate) mod http;
pub(crate) mod lines;
#[cfg(feature = "dev")]
pub(crate) mod observed;
pub(crate) mod process;
mod queue;

use std::{future::ready, pin::Pin};

pub(crate) use self::error::{ReceiveError, TransferError};

/// The longest message of a server that is kept in memory, in bytes, unless the author sets another limit.
pub(crate) const MAX_MESSAGE: usize = 16 * 1024 * 1024;

/// The limit for servers that their own author runs: in tests, and while they are developed.
pub(crate) const TRUSTED_MAX_MESSAGE: usize = 256 * 1024 * 1024;

/// How many bytes wait between two sides of a connection, one of which is slower. A sender waits if there are more.
const QUEUED_BYTES: u32 = 4 * 1024 * 1024;

/// An open connection to a server.
pub(crate) trait Transport: Send + Sync {
    /// Sends a message.
    ///
    /// # Errors
    /// Returns the reason why the server cannot be reached.
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()>;

    /// Sends a request that repeats arguments of a tool in HTTP headers, as its schema says with `x-mcp-header`.
    ///
    /// # Errors
    /// Returns the reason why the server cannot be reached.
    #[cfg(any(feature = "http", feature = "remote"))]
    fn send_with_headers<'a>(
        &'a mut self,
        text: &'a str,
        _headers: &'a [(::http::HeaderName, String)],
    ) -> Transfer<'a, ()> {
        self.send(text)
    }

    /// Waits for the next message. Cancel-safe.
    ///
    /// # Errors
    /// Returns the reason why a request has failed, or why no further message can arrive.
    fn receive(&mut self) -> Transfer<'_, ServerText, ReceiveError>;

    /// Stops listening to the stream of a request. Returns whether this cancels the request. If not, the client must
    /// send a cancellation.
    fn cancel(&mut self, _request: u64) -> bool {
        false
    }

    /// Says which revision the handshake has chosen. The server can have chosen an earlier one than the client.
    fn negotiated(&mut self, _revision: crate::wire::protocol::revision::Revision) {}

    /// Returns the connection to a server in the test's own process, which knows more than the protocol transmits: the
    /// calls in flight, and the keys of questions that came as requests.
    #[cfg(feature = "testing")]
    fn memory(&self) -> Option<&crate::serve::transport::MemoryClient> {
        None
    }

    /// Shows the HTTP requests and responses of this connection to `observer`. Does nothing if it does not use HTTP.
    #[cfg(feature = "dev")]
    fn observe(&mut self, _observer: std::sync::Arc<dyn observed::HttpObserver>) {}

    /// Ends the connection in an orderly way: a session is ended, and a process can finish what it does. A connection that
    /// is dropped ends too, but its owner cannot wait for that.
    fn close(&mut self) -> TransportClosing<'_> {
        Box::pin(ready(()))
    }

    /// Kills the process of the server, if it has its own. Returns the last part of what this process has written to
    /// standard error.
    fn kill(&mut self) -> Killing<'_> {
        Box::pin(ready(None))
    }
}

/// A message of the server.
#[derive(Debug)]
pub(crate) struct ServerText {
    pub(crate) text: String,
    /// The id of the request whose stream contained the message. `None` if the connection has one stream for all
    /// messages, or the stream belongs to the session.
    pub(crate) request: Option<u64>,
}

impl From<String> for ServerText {
    /// Returns a message of a connection that has one stream for all messages.
    fn from(text: String) -> Self {
        Self { text, request: None }
    }
}

/// A future that closes a connection.
pub(crate) type TransportClosing<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// A future that kills a process.
pub(crate) type Killing<'a> = Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>>;

/// A future that sends or receives a message.
pub(crate) type Transfer<'a, T, E = TransferError> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;
