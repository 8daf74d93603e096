//! Two connected ends in one process: no pipe, no socket.

use std::sync::Arc;

use tokio::{
    runtime::Handle,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

use crate::{
    call::{Outlet, Principal, request::Peer},
    protocol::frame::Frame,
    server::{
        Service,
        connection::{Connection, Received},
    },
};

/// A client's end of a connection in memory: messages as JSON text, as they would stand on a line.
///
/// It is a part of your process, so nothing is dropped for a client that does not [`receive`](Self::receive): what the
/// server says is kept until it does.
///
/// ```
/// # tokio_test(async {
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
/// # });
/// # fn tokio_test(test: impl Future) {
/// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
/// # }
/// ```
pub struct MemoryClient {
    connection: Connection,
    outlet: Arc<Sender>,
    messages: UnboundedReceiver<Frame>,
}

struct Sender(UnboundedSender<Frame>);

impl Service {
    /// Connects a client in memory.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn memory(&self) -> MemoryClient {
        self.connect(None)
    }

    /// Connects a client in memory whose requests are those of a principal: a name by which your application knows who
    /// is behind them, and no secret; or a [`Principal`] with what it was granted. What one principal was asked, no other
    /// can answer, and it calls only tools whose scopes it has.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn memory_as(&self, principal: impl Into<Principal>) -> MemoryClient {
        self.connect(Some(principal.into()))
    }

    fn connect(&self, principal: Option<Principal>) -> MemoryClient {
        let (sender, messages) = unbounded_channel();
        let outlet = Arc::new(Sender(sender));
        let connection = Connection::new(self, Peer::new(Arc::clone(&outlet) as _, principal), Handle::current());
        MemoryClient { connection, outlet, messages }
    }
}

impl MemoryClient {
    /// Sends one message to the server. Returns when the server has taken it, which may be before it answers.
    pub async fn send(&self, message: &str) {
        match self.connection.receive(message.as_bytes()) {
            Received::Nothing => {}
            Received::Reply(frame) => self.outlet.send(frame),
            Received::Batch(messages) => {
                let reply = self.connection.take_batch(&self.connection.peer, *messages).await;
                reply.into_iter().for_each(|frame| self.outlet.send(frame));
            }
        }
    }

    /// The next message from the server; waits for it as long as it takes.
    pub async fn receive(&mut self) -> Option<String> {
        let frame = self.messages.recv().await?;
        Some(frame.to_string().trim_end().to_owned())
    }

    /// The key of the question that the server asked by the request of this id.
    #[cfg(feature = "testing")]
    pub(crate) fn question_key(&self, id: &str) -> Option<String> {
        self.connection.question_key(id)
    }

    /// The tasks of the calls in flight.
    #[cfg(feature = "testing")]
    pub(crate) fn tasks(&self) -> Vec<tokio::task::AbortHandle> {
        self.connection.tasks()
    }

    /// What the server says from now on, for another thread; [`receive`](Self::receive) then finds an end.
    #[cfg(feature = "cli")]
    pub(crate) fn take_messages(&mut self) -> UnboundedReceiver<Frame> {
        std::mem::replace(&mut self.messages, unbounded_channel().1)
    }

    /// Closes this end, as the end of standard input would: calls in flight may finish within the server's grace.
    /// Gives what the server still had to say.
    pub async fn close(mut self) -> Vec<String> {
        self.connection.close().await;
        let mut rest = Vec::new();
        while let Ok(frame) = self.messages.try_recv() {
            rest.push(frame.to_string().trim_end().to_owned());
        }
        rest
    }
}

impl Outlet for Sender {
    fn send(&self, frame: Frame) {
        // The receiver outlives every call but those that nobody waits for.
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
