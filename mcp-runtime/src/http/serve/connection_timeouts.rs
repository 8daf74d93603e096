//! How a connection gets on: what it waits for, and since when.

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

/// Nothing of a request is there yet.
const IDLE: u8 = 0;
/// The head of a request has begun, and is not all there.
const HEAD: u8 = 1;
/// A request is being answered.
const ANSWERING: u8 = 2;
/// The same, and the client does not read.
const STALLED: u8 = 3;

/// What a connection is doing. Told by its stream and by its requests, which all run in its task.
pub(super) struct Pace {
    opened: Instant,
    doing: AtomicU8,
    /// In milliseconds after it was opened.
    since: AtomicU64,
}

impl Pace {
    /// A connection whose client is to send its first request.
    pub(super) fn new() -> Self {
        Self { opened: Instant::now(), doing: AtomicU8::new(HEAD), since: AtomicU64::new(0) }
    }

    /// The head of a request is there.
    pub(super) fn answering(&self) {
        self.doing.store(ANSWERING, Relaxed);
    }

    /// Whether there is no request to be answered.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.doing.load(Relaxed), IDLE | HEAD)
    }

    /// When the connection is given up if it does not get on. Never, while it is the server that takes its time.
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
            // The end of a response that is still under way.
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

/// A stream that tells how it gets on.
pub(super) struct Paced<S> {
    stream: S,
    pace: Arc<Pace>,
}

impl<S> Paced<S> {
    pub(super) fn new(stream: S, pace: Arc<Pace>) -> Self {
        Self { stream, pace }
    }

    pub(super) fn into_inner(self) -> S {
        self.stream
    }

    fn written(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(_) => self.pace.has_written(),
            Poll::Pending => self.pace.cannot_write(),
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if before < buffer.filled().len() {
            self.pace.has_read();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
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

/// A response that tells when it has left.
pub(super) struct Response {
    body: Body,
    pace: Arc<Pace>,
}

impl Response {
    pub(super) fn new(body: Body, pace: Arc<Pace>) -> Self {
        Self { body, pace }
    }
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
        self.pace.now(IDLE);
    }
}
