//! One session over HTTP.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use super::{
    stream::{Cursor, Stream},
    streams::Streams,
};
use crate::{
    base::mutex::Mutex,
    engine::call::{MessageSink, Owner},
    serve::server::connection::Connection,
    wire::protocol::{frame::Frame, revision::Revision},
};

/// One session, from its handshake to its end.
pub(crate) struct HttpSession {
    /// The principal that opened the session. Requests of other principals get 404.
    principal: Option<Arc<str>>,
    /// The client whose quota the session counts against.
    pub(crate) owner: Option<Owner>,
    pub(crate) connection: Connection,
    pub(crate) streams: Mutex<Streams>,
    /// The number of buffered bytes of all streams of all sessions.
    kept: Arc<AtomicUsize>,
    /// When the client last sent a request.
    touched: Mutex<Instant>,
    /// Whether the client has used the session since the handshake.
    used: AtomicBool,
    /// The number of open [`Listener`]s of this session.
    listeners: AtomicUsize,
}

/// Sends messages that belong to no request, on the session's stream for such messages.
struct ListeningOutlet(Weak<HttpSession>);

/// An open response to `GET`, with the stream of messages that belong to no request. The session counts its open
/// responses.
pub(crate) struct Listener(Arc<HttpSession>);

impl HttpSession {
    /// Creates a session. The counter `kept` is the number of buffered bytes of the streams of all sessions.
    pub(crate) fn new(
        connection: Connection,
        principal: Option<Arc<str>>,
        owner: Option<Owner>,
        kept: &Arc<AtomicUsize>,
    ) -> Self {
        Self {
            principal,
            owner,
            connection,
            streams: Mutex::default(),
            kept: Arc::clone(kept),
            touched: Mutex::new(Instant::now()),
            used: AtomicBool::new(false),
            listeners: AtomicUsize::new(0),
        }
    }

    /// Buffers the events of a stream from now on, so that the client can resume the stream.
    pub(crate) fn keep(&self, stream: &Arc<Stream>) {
        let number = self.streams.lock().add(stream);
        stream.keep(number, &self.kept);
    }

    /// Starts to send notices about changed lists and resources. The notices are sent on the stream for messages that
    /// belong to no request.
    pub(crate) fn begin_notices(self: &Arc<Self>) {
        let outlet: Arc<dyn MessageSink> = Arc::new(ListeningOutlet(Arc::downgrade(self)));
        self.connection.begin_notices(&outlet);
    }

    /// Returns the stream that contains the event with this id, and a cursor after the event. Returns `None` if the
    /// stream cannot be resumed at this event.
    pub(crate) fn resume(&self, last_event_id: &str) -> Option<(Arc<Stream>, Cursor)> {
        let (stream, event) = last_event_id.split_once('-')?;
        let stream = self.streams.lock().get(stream.parse().ok()?)?;
        let cursor = stream.read_behind(Some(event.parse().ok()?))?;
        Some((stream, cursor))
    }

    /// Whether the client reconnects after a disconnect.
    pub(crate) fn polls(&self) -> bool {
        self.connection.negotiated().is_some_and(Revision::has_polling)
    }

    /// Records that the client has sent a request.
    pub(crate) fn touch(&self) {
        *self.touched.lock() = Instant::now();
    }

    /// Returns when the client last sent a request.
    pub(crate) fn touched(&self) -> Instant {
        *self.touched.lock()
    }

    /// Records that the client has used the session since the handshake.
    pub(crate) fn set_used(&self) {
        self.used.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }

    /// Counts an open response to `GET` until the returned value is dropped.
    pub(crate) fn listener(self: &Arc<Self>) -> Listener {
        self.listeners.fetch_add(1, Ordering::Relaxed);
        Listener(Arc::clone(self))
    }

    pub(crate) fn is_listened_to(&self) -> bool {
        self.listeners.load(Ordering::Relaxed) > 0
    }

    /// Whether the session has no call in flight and no request being answered. The caller must hold the lock of the
    /// session table, but must not hold a clone of this `Arc`, because the clone would count as a request.
    pub(crate) fn is_idle(self: &Arc<Self>) -> bool {
        // All other references are requests in progress.
        Arc::strong_count(self) <= 1 + self.listeners.load(Ordering::Relaxed) && self.connection.calls.is_empty()
    }

    /// Whether the session has been idle for at least the time `idle`. `found` is the number of references to the
    /// session that the caller holds.
    pub(crate) fn is_forgotten(self: &Arc<Self>, found: usize, idle: Duration) -> bool {
        // A request in progress holds a reference.
        let in_hand = Arc::strong_count(self) > 1 + found;
        !in_hand && self.touched().elapsed() >= idle && self.connection.calls.is_empty()
    }

    pub(crate) fn end(&self) {
        self.connection.abort();
        self.streams.lock().end();
    }

    pub(crate) fn is_of(&self, principal: Option<&Arc<str>>) -> bool {
        self.principal.as_ref() == principal
    }
}

impl Listener {
    pub(crate) fn session(&self) -> &Arc<HttpSession> {
        &self.0
    }
}

impl MessageSink for ListeningOutlet {
    fn send(&self, frame: Frame) {
        let Some(session) = self.0.upgrade() else { return };
        let streams = session.streams.lock();
        streams.listening().into_iter().for_each(|stream| stream.send(frame.clone()));
    }

    fn is_open(&self) -> bool {
        self.0.upgrade().is_some_and(|session| session.is_listened_to())
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}
