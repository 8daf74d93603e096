//! Standard input and output: one client, one message on a line.

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

use super::{
    lines::{Line, Lines},
    output::{Late, Output},
};
use crate::{
    call::request::Peer,
    server::{
        BuildError, Server, Service,
        connection::{Connection, Received},
    },
};

/// So long may a reply wait for others to leave in the same write.
const LONGEST_WAIT: Duration = Duration::from_millis(2);

impl Service {
    /// Serves the client at standard input and output until it closes its end.
    ///
    /// Calls in flight may then finish within [`Server::shutdown_grace`], and their replies are written. Standard
    /// output belongs to the protocol: a tool that prints breaks it. Standard error is free.
    ///
    /// Input is read by a thread of its own, which also runs each call up to its first wait; a tool that blocks its
    /// thread is noticed and from then on runs on the runtime's threads, away from the others.
    ///
    /// # Errors
    /// Standard input or output cannot be used.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub async fn serve_stdio(&self) -> io::Result<()> {
        let runtime = Handle::current();
        let input = standard_input()?;
        let output = Arc::new(Output::new(standard_output()?, runtime.clone()));
        let peer = Peer::new(Arc::new(Late(Arc::clone(&output))), None);
        let connection = Arc::new(Connection::new(self, peer, runtime.clone()));

        let (done, mut ended) = oneshot::channel();
        let reader = {
            let (connection, output) = (Arc::clone(&connection), Arc::clone(&output));
            let limit = self.0.limits.message_size;
            move || {
                let _runtime = runtime.enter();
                let read = read_all(input, limit, &connection, &output, &runtime);
                // Nobody listens any more when the other end broke first.
                let _ = done.send(read);
            }
        };
        // Not a thread of the runtime: one that waits in `read` would keep the runtime from shutting down.
        std::thread::Builder::new().name("mcp-stdin".into()).spawn(reader)?;

        let read = read_or_broken(&mut ended, &output).await.unwrap_or_else(|| {
            connection.abort();
            Ok(())
        });
        connection.close().await;
        connection.wait_for_detached().await;
        let written = tokio::task::spawn_blocking(move || output.finish()).await;
        written.map_err(io::Error::other)?;
        read
    }
}

impl Server {
    /// Builds the server and serves standard input and output: see [`Service::serve_stdio`].
    ///
    /// # Errors
    /// The server cannot be built, or standard input or output cannot be used.
    pub async fn serve_stdio(self) -> io::Result<()> {
        self.build()
            .map_err(|error: BuildError| io::Error::new(io::ErrorKind::InvalidInput, error))?
            .serve_stdio()
            .await
    }
}

/// Waits for the end of input. `None` if the client stopped reading first: then nothing is left to do.
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

fn read_all(
    mut input: File,
    limit: usize,
    connection: &Connection,
    output: &Output,
    runtime: &Handle,
) -> io::Result<()> {
    let mut lines = Lines::new(limit);
    let take = |received| match received {
        Received::Nothing => {}
        Received::Reply(frame) => output.push(frame),
        Received::Busy(waiting) => {
            output.flush();
            runtime.block_on(waiting.start());
        }
    };
    while lines.fill(&mut input)? {
        let mut flushed = Instant::now();
        while let Some(line) = lines.next_line() {
            take(match line {
                Line::Whole(line) => connection.receive(line),
                Line::TooLong => Received::Reply(connection.oversized()),
            });
            // What is ready does not wait long for what was read along with it.
            if LONGEST_WAIT < flushed.elapsed() {
                output.flush();
                flushed = Instant::now();
            }
        }
        output.flush();
    }
    take(connection.receive(lines.rest()));
    output.flush();
    Ok(())
}

/// The descriptors themselves, without the buffers and locks of the standard library's handles.
#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}
