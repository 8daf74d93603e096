//! Standard input and output: one client, one message per line.

#[cfg(feature = "dev")]
mod development;
mod dropped;
mod lines;
mod output;
mod queue;
#[cfg_attr(windows, path = "system_windows.rs")]
mod system;
mod write;

use std::{
    fs::File,
    future::poll_fn,
    io,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::{Duration, Instant},
};

use tokio::{runtime::Handle, sync::oneshot};

use self::{
    lines::{Line, Lines},
    output::{BackgroundSink, Output},
};
use crate::{
    engine::call::request::Peer,
    serve::server::{
        BuildError, Server, Service,
        connection::{Connection, Received},
    },
    wire::protocol::text::BYTE_ORDER_MARK,
};

/// How long a reply can wait, so that it is written together with other replies.
const MAX_BATCH_DELAY: Duration = Duration::from_millis(2);

/// At shutdown, the server drops the remaining output if the client reads none of it during the server's grace period.
/// If the grace period is shorter than this constant, the server waits for the time of this constant.
const MIN_PATIENCE: Duration = Duration::from_millis(100);

impl Service {
    /// Serves the client on standard input and output until the client closes standard input.
    ///
    /// After the client has closed standard input, calls in flight can finish within [`Server::shutdown_grace`], and
    /// their replies are written.
    ///
    /// # What a tool prints
    ///
    /// Only protocol messages are allowed on standard output. On Unix, the server redirects descriptor 1 to standard
    /// error. Output of a tool, a library or a child process then appears on standard error and does not break the
    /// protocol. The redirection lasts until the process ends, because printed text can be buffered until then. A later
    /// `serve_stdio` in the same process still writes to the real standard output. [`Server::redirect_stdout`] switches
    /// the redirection off. On other systems the server redirects nothing, and a tool that prints breaks the protocol.
    ///
    /// # A client that does not read
    ///
    /// | unread output | what happens |
    /// | --- | --- |
    /// | 1 MiB | The server drops log messages and progress. It reports the number of dropped messages to the client in a log message, and to the operator on standard error. |
    /// | 4 MiB | The server reads no further message until the client reads. |
    ///
    /// Results, errors and questions are never dropped. The limits are fixed and do not affect a client that reads.
    /// Without them, a call that logs 500,000 messages of 1 KB made a server hold 1,138 MB, and 1,000,000 requests for
    /// a list made it hold 320 MB. With them, the server holds 8 MB in both cases.
    ///
    /// # Threads
    ///
    /// A dedicated thread reads the input and runs each call up to its first wait. A tool that blocks this thread is
    /// detected and then runs on the runtime's threads.
    ///
    /// # Errors
    /// Returns an error if standard input or output cannot be used. Also returns an error if the client has closed
    /// standard input, and then reads no output for the server's grace period.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub async fn serve_stdio(&self) -> io::Result<()> {
        let runtime = Handle::current();
        let input = system::standard_input()?;
        let output = Arc::new(Output::new(system::protocol_output(self.0.settings.redirect_stdout)?));
        #[cfg(not(feature = "dev"))]
        let principal = None;
        #[cfg(feature = "dev")]
        let principal = development::principal();
        let peer = Peer::new(Arc::new(BackgroundSink(Arc::clone(&output))), principal);
        let connection = Arc::new(Connection::new(self, peer, runtime.clone()));
        self.0.begin_loading();
        let _closing = Closing { output: Arc::clone(&output), connection: Arc::clone(&connection) };

        let (done, mut ended) = oneshot::channel();
        let reader = {
            let (connection, output) = (Arc::clone(&connection), Arc::clone(&output));
            let limit = self.0.settings.limits.message_size();
            move || {
                let _entered = runtime.enter();
                output.read_by_this_thread();
                let mut reader =
                    LineReader { input, connection, output, flushed: Instant::now(), unflushed: false, at_start: true };
                let read = reader.read_all(limit);
                // Fails if serving has already ended, because a write failed or the future was dropped.
                let _ = done.send(read);
            }
        };
        // Not a thread of the runtime, because a thread blocked in `read` would keep the runtime from shutting down.
        std::thread::Builder::new().name("mcp-stdin".into()).spawn(reader)?;

        let read = read_or_broken(&mut ended, &output).await.unwrap_or_else(|| {
            connection.abort();
            Ok(())
        });
        connection.close().await;
        connection.wait_for_detached().await;
        let patience = self.0.settings.limits.shutdown_grace.max(MIN_PATIENCE);
        let written = output.finish(patience).await;
        read.and(written)
    }
}

/// When dropped, ends the writer thread and the calls that wait for the client. A value with `Drop` is needed because
/// serving ends early if the future that serves the client is dropped.
struct Closing {
    output: Arc<Output>,
    connection: Arc<Connection>,
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.connection.abort_parked();
        self.output.close();
    }
}

impl Server {
    /// Builds the server and serves standard input and output: see [`Service::serve_stdio`].
    ///
    /// # Errors
    /// Returns an error if the server cannot be built, or if standard input or output cannot be used.
    pub async fn serve_stdio(self) -> io::Result<()> {
        self.build()
            .map_err(|error: BuildError| io::Error::new(io::ErrorKind::InvalidInput, error))?
            .serve_stdio()
            .await
    }
}

/// Waits for the end of input. Returns `None` if a write fails first, because no reply can then reach the client.
async fn read_or_broken(ended: &mut oneshot::Receiver<io::Result<()>>, output: &Output) -> Option<io::Result<()>> {
    let mut broken = pin!(output.broken());
    poll_fn(|cx| match broken.as_mut().poll(cx) {
        Poll::Ready(()) => Poll::Ready(None),
        Poll::Pending => Pin::new(&mut *ended).poll(cx).map(|read| {
            Some(read.unwrap_or_else(|_| Err(io::Error::other("the thread that reads standard input panicked"))))
        }),
    })
    .await
}

/// The thread that reads lines and handles them.
struct LineReader {
    input: File,
    connection: Arc<Connection>,
    output: Arc<Output>,
    /// The time of the last flush of replies or the last read of input, whichever is later.
    flushed: Instant,
    /// Whether a line was handled since that time. If so, a reply or a question may be waiting to be written.
    unflushed: bool,
    /// Whether no line was read yet.
    at_start: bool,
}

impl LineReader {
    fn read_all(&mut self, limit: usize) -> io::Result<()> {
        let mut lines = Lines::new(limit);
        while lines.fill(&mut self.input)? {
            (self.flushed, self.unflushed) = (Instant::now(), false);
            while let Some(line) = lines.next_line() {
                self.flush_if_late();
                self.receive(line);
            }
            self.output.flush();
        }
        self.receive(lines.rest());
        self.output.flush();
        Ok(())
    }

    fn receive(&mut self, line: Line<'_>) {
        if let Line::Whole(line) = &line
            && let Some(loading) = self.connection.loading_for(line)
        {
            self.output.flush();
            Handle::current().block_on(loading);
        }
        let received = match line {
            Line::Whole(line) if std::mem::take(&mut self.at_start) => self.connection.receive(without_mark(line)),
            Line::Whole(line) => self.connection.receive(line),
            Line::TooLong(message) => self.connection.oversized(message),
        };
        self.take(received);
    }

    fn take(&mut self, received: Received<'_>) {
        match received {
            Received::Nothing => {}
            Received::Reply(frame) => self.output.push(frame),
            Received::Batch(mut batch) => {
                let connection = Arc::clone(&self.connection);
                while let Some(received) = connection.take_next(&connection.peer, &mut batch) {
                    self.take(received);
                    self.flush_if_late();
                }
                return;
            }
        }
        self.unflushed = true;
        self.output.wait_for_room(|| system::is_closed(&self.input));
    }

    /// Flushes if a reply may have waited too long. Without this, the reply would wait until all lines that were read
    /// together with its request are handled.
    fn flush_if_late(&mut self) {
        if self.unflushed && MAX_BATCH_DELAY < self.flushed.elapsed() {
            self.output.flush();
            (self.flushed, self.unflushed) = (Instant::now(), false);
        }
    }
}

/// Removes a byte order mark, which some programs on Windows write at the start of their output.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(line)
}
