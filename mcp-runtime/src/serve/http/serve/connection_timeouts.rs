//! Tracks the state of a connection and the time of its last change, to decide when the connection times out.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Instant,
};

/// The connection waits for the first byte of a request.
const IDLE: u8 = 0;
/// The connection waits for the rest of a request's head.
const HEAD: u8 = 1;
/// A request is being answered.
const ANSWERING: u8 = 2;
/// A request is being answered, and the client does not read.
const STALLED: u8 = 3;

/// The state of a connection. The connection's stream and requests update this state. They all run in one task.
pub(super) struct Activity {
    opened: Instant,
    doing: AtomicU8,
    /// The start of the current state, in milliseconds after `opened`.
    since: AtomicU64,
}

impl Activity {
    /// Creates the state of a new connection, which waits for its first request.
    pub(super) fn new() -> Self {
        Self { opened: Instant::now(), doing: AtomicU8::new(HEAD), since: AtomicU64::new(0) }
    }

    /// Records that the head of a request has arrived.
    pub(super) fn answering(&self) {
        self.doing.store(ANSWERING, Relaxed);
    }

    /// Whether no request is being answered.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.doing.load(Relaxed), IDLE | HEAD)
    }

    /// Returns the time when the connection times out. Returns `None` while the client waits for the server.
    pub(super) fn deadline(&self, head: Duration, idle: Duration) -> Option<Instant> {
        let limit = match self.doing.load(Relaxed) {
            ANSWERING => return None,
            HEAD => head,
            _ => idle,
        };
        (self.opened + Duration::from_millis(self.since.load(Relaxed))).checked_add(limit)
    }

    fn now(&self, doing: u8) {
        let since = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.since.store(since, Relaxed);
        self.doing.store(doing, Relaxed);
    }

    fn has_read(&self) {
        if self.doing.load(Relaxed) == IDLE {
            self.now(HEAD);
        }
    }

    fn has_written(&self) {
        match self.doing.load(Relaxed) {
            STALLED => self.answering(),
            // The end of a response is still being written.
            IDLE => self.now(IDLE),
            _ => {}
        }
    }

    fn cannot_write(&self) {
        if self.doing.load(Relaxed) == ANSWERING {
            self.now(STALLED);
        }
    }
}

/// A stream that records its reads and writes.
pub(super) struct TrackedStream<S> {
    pub(super) stream: S,
    pub(super) activity: Arc<Activity>,
}

impl<S> TrackedStream<S> {
    fn written(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(_) => self.activity.has_written(),
            Poll::Pending => self.activity.cannot_write(),
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TrackedStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if before < buffer.filled().len() {
            self.activity.has_read();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TrackedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// A response body that records the time when the body has been sent.
pub(super) struct Response {
    pub(super) body: Body,
    pub(super) activity: Arc<Activity>,
}

impl http_body::Body for Response {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Response {
    fn drop(&mut self) {
        self.activity.now(IDLE);
    }
}
