//! One session over HTTP, and the streams of it that a client can resume.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use super::stream::{Cursor, Stream};
use crate::{
    base::mutex::Mutex,
    engine::call::{MessageSink, Owner},
    serve::server::connection::Connection,
    wire::protocol::{frame::Frame, revision::Revision},
};

/// How long a client can resume a stream after its end.
const KEPT_FOR: Duration = Duration::from_secs(60);
/// The maximum number of ended streams that a session keeps.
const MAX_ENDED: usize = 64;

/// One session, from its handshake to its end.
pub(crate) struct HttpSession {
    /// The principal that opened the session. Requests of other principals get 404.
    pub(super) principal: Option<Arc<str>>,
    /// The client whose quota the session counts against.
    pub(crate) owner: Option<Owner>,
    pub(crate) connection: Connection,
    /// The revision that the handshake negotiated.
    pub(super) revision: Option<Revision>,
    pub(crate) streams: Mutex<Streams>,
    /// The number of buffered bytes of all streams of all sessions.
    kept: Arc<AtomicUsize>,
    /// When the client last sent a request.
    touched: Mutex<Instant>,
    /// Whether the client has used the session since the handshake.
    used: AtomicBool,
    /// Each open [`Listener`] of this session holds a clone.
    listeners: Arc<()>,
}

/// Sends messages that belong to no request, on the session's stream for such messages.
struct ListeningSink(Weak<HttpSession>);

/// An open response to `GET`, with the stream of messages that belong to no request. The session counts its open
/// responses.
pub(crate) struct Listener {
    /// Dropped before the session, so that the session never seems to have one more listener than references.
    _counted: Arc<()>,
    pub(crate) session: Arc<HttpSession>,
}

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
            revision: connection.negotiated(),
            connection,
            streams: Mutex::default(),
            kept: Arc::clone(kept),
            touched: Mutex::new(Instant::now()),
            used: AtomicBool::new(false),
            listeners: Arc::default(),
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
        let sink: Arc<dyn MessageSink> = Arc::new(ListeningSink(Arc::downgrade(self)));
        self.connection.begin_notices(&sink);
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
        self.revision.is_some_and(Revision::has_polling)
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
        Listener { session: Arc::clone(self), _counted: Arc::clone(&self.listeners) }
    }

    pub(crate) fn is_listened_to(&self) -> bool {
        Arc::strong_count(&self.listeners) > 1
    }

    /// Whether the session has no call in flight and no request being answered. The caller must hold the lock of the
    /// session table, but must not hold a clone of this `Arc`, because the clone would count as a request.
    pub(crate) fn is_idle(self: &Arc<Self>) -> bool {
        // The table and each listener hold a reference. All others are requests in progress.
        Arc::strong_count(self) <= Arc::strong_count(&self.listeners) && self.connection.is_idle()
    }

    /// Whether the session has been idle for at least the time `idle`. `found` is the number of references to the
    /// session that the caller holds.
    pub(crate) fn is_forgotten(self: &Arc<Self>, found: usize, idle: Duration) -> bool {
        // A request in progress holds a reference.
        let in_hand = Arc::strong_count(self) > 1 + found;
        !in_hand && self.touched().elapsed() >= idle && self.connection.is_idle()
    }

    pub(crate) fn end(&self) {
        self.connection.abort();
        self.streams.lock().end();
    }
}

impl MessageSink for ListeningSink {
    fn send(&self, frame: Frame) {
        let Some(session) = self.0.upgrade() else { return };
        let streams = session.streams.lock();
        streams.listening().into_iter().for_each(|stream| stream.send(frame.clone()));
    }

    fn is_open(&self) -> bool {
        self.0.upgrade().is_some_and(|session| session.is_listened_to())
    }
}

/// The streams of a session.
#[derive(Default)]
pub(crate) struct Streams {
    /// How many streams the session has had.
    count: u64,
    /// The streams that a client can resume, with their numbers, the oldest first.
    kept: VecDeque<(u64, Arc<Stream>)>,
    /// The stream for messages that belong to no request.
    listening: Option<Arc<Stream>>,
}

impl Streams {
    /// Adds a stream, and returns its number.
    pub(crate) fn add(&mut self, stream: &Arc<Stream>) -> u64 {
        while self.kept.front().is_some_and(|(_, oldest)| is_forgotten(oldest)) {
            self.kept.pop_front();
        }
        if self.kept.len() >= MAX_ENDED
            && let Some(oldest) = self.kept.iter().position(|(_, stream)| stream.over_since().is_some())
        {
            self.kept.remove(oldest);
        }
        self.count += 1;
        self.kept.push_back((self.count, Arc::clone(stream)));
        self.count
    }

    pub(crate) fn get(&self, number: u64) -> Option<Arc<Stream>> {
        let found = self.kept.iter().find(|(of, _)| *of == number);
        found.map(|(_, stream)| Arc::clone(stream))
    }

    /// Opens the stream for messages that belong to no request. Ends the previous stream, because its connection may be
    /// lost. Messages that the client has not read are sent on the new stream.
    pub(crate) fn listen(&mut self) -> Arc<Stream> {
        let stream = Arc::<Stream>::default();
        if let Some(before) = self.listening.replace(Arc::clone(&stream)) {
            before.take_rest().into_iter().for_each(|frame| stream.send(frame));
        }
        stream
    }

    /// Returns the stream for messages that belong to no request.
    pub(crate) fn listening(&self) -> Option<&Arc<Stream>> {
        self.listening.as_ref()
    }

    /// Whether the client has reconnected to all streams that the server closed early.
    pub(crate) fn is_read(&self) -> bool {
        !self.kept.iter().any(|(_, stream)| stream.awaits_client())
    }

    /// Drops the streams that ended more than a minute ago.
    pub(crate) fn sweep(&mut self) {
        self.kept.retain(|(_, stream)| !is_forgotten(stream));
    }

    pub(crate) fn end(&mut self) {
        self.kept.drain(..).for_each(|(_, stream)| stream.end());
        self.stop_listening();
    }

    /// Ends the stream for messages that belong to no request.
    pub(crate) fn stop_listening(&mut self) {
        self.listening.take().into_iter().for_each(|stream| stream.end());
    }
}

/// Whether the stream ended more than a minute ago.
fn is_forgotten(stream: &Stream) -> bool {
    stream.over_since().is_some_and(|since| since.elapsed() >= KEPT_FOR)
}
