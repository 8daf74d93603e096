//! A client and a server connected in one process, without a pipe or socket.

use std::sync::Arc;

use tokio::{
    runtime::Handle,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

use crate::{
    engine::call::{Call, MessageSink, Principal, request::Peer},
    serve::server::{
        Service,
        connection::{Connection, Received},
    },
    wire::protocol::frame::Frame,
};

/// The client's end of an in-memory connection. Each message is one JSON text.
///
/// The server buffers all messages for this client. It drops no message, even if the client does not
/// [`receive`](Self::receive) any.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use mcp_runtime::{Server, prelude::*};
///
/// /// Adds two numbers.
/// #[mcp_tool(read_only)]
/// async fn add(a: i64, b: i64) -> Text<i64> {
///     Text(a + b)
/// }
///
/// let service = Server::new("calculator", "1.0.0").tools(tools![add]).build().unwrap();
/// let mut client = service.memory();
/// client.send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
/// assert_eq!(client.receive().await.unwrap(), r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
/// # }
/// ```
pub struct MemoryClient {
    connection: Connection,
    sink: Arc<MemorySink>,
    messages: UnboundedReceiver<Frame>,
}

/// Passes the messages of the server to a receiver in the same process.
struct MemorySink(UnboundedSender<Frame>);

impl Service {
    /// Connects a client in memory.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub fn memory(&self) -> MemoryClient {
        self.connect(None)
    }

    /// Connects a client in memory and authenticates it as a principal. Pass the principal's name, which must not be a
    /// secret, or a [`Principal`] with scopes. Only the same principal can answer the questions of the client's calls,
    /// and the client can only call tools whose scopes the principal has.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub fn memory_as(&self, principal: impl Into<Principal>) -> MemoryClient {
        self.connect(Some(principal.into()))
    }

    fn connect(&self, principal: Option<Principal>) -> MemoryClient {
        let (sender, messages) = unbounded_channel();
        let sink = Arc::new(MemorySink(sender));
        let connection = Connection::new(self, Peer::new(Arc::clone(&sink) as _, principal), Handle::current());
        MemoryClient { connection, sink, messages }
    }
}

impl MemoryClient {
    /// Sends one message to the server. Returns when the server has accepted it; the answer can follow later.
    pub async fn send(&self, message: &str) {
        if let Some(loading) = self.connection.loading_for(message.as_bytes()) {
            loading.await;
        }
        match self.connection.receive(message.as_bytes()) {
            Received::Nothing => {}
            Received::Reply(frame) => self.sink.send(frame),
            Received::Batch(messages) => {
                let reply = self.connection.take_batch(&self.connection.peer, *messages).await;
                reply.into_iter().for_each(|frame| self.sink.send(frame));
            }
        }
    }

    /// Waits for the next message from the server, without a time limit. The result is never `None`, because the
    /// connection stays open until this client is closed or dropped.
    pub async fn receive(&mut self) -> Option<String> {
        let frame = self.messages.recv().await?;
        Some(frame.into_text())
    }

    /// Returns the key of the question that the server asked in the request with this id.
    #[cfg(feature = "testing")]
    pub(crate) fn question_key(&self, id: &str) -> Option<String> {
        let session = self.connection.session()?;
        session.questions.begun()?.key(&crate::wire::protocol::id::Id::read(id)?)
    }

    /// Returns the calls in flight.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.connection.calls().calls()
    }

    /// Closes the connection. Calls in flight can finish within
    /// [`Server::shutdown_grace`](crate::Server::shutdown_grace). Returns the messages that were not received.
    pub async fn close(mut self) -> Vec<String> {
        self.connection.close().await;
        let mut rest = Vec::new();
        while let Ok(frame) = self.messages.try_recv() {
            rest.push(frame.into_text());
        }
        rest
    }
}

impl MessageSink for MemorySink {
    fn send(&self, frame: Frame) {
        // Fails only if the client was dropped.
        let _ = self.0.send(frame);
    }
}

impl Drop for MemoryClient {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

impl std::fmt::Debug for MemoryClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryClient").finish_non_exhaustive()
    }
}
