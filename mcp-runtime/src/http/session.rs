//! One client, from its handshake on.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use super::{
    owner::Owner,
    stream::{Cursor, Stream},
    streams::Streams,
};
use crate::{mutex::Mutex, protocol::revision::Revision, server::connection::Connection};

/// One client, from its handshake on.
pub(super) struct Session {
    /// Whose session it is. For any other there is none of this id.
    principal: Option<Arc<str>>,
    /// Whose quota it counts against.
    pub(super) owner: Option<Owner>,
    pub(super) connection: Connection,
    streams: Mutex<Streams>,
    kept: Arc<AtomicUsize>,
    /// When its client was heard of last.
    touched: Mutex<Instant>,
    /// Whether anything was asked in it since it was opened.
    used: AtomicBool,
    /// How many responses there are on which nothing is answered.
    listeners: AtomicUsize,
}

/// A response of a session on which nothing is answered, until it ends.
pub(super) struct Listener(Arc<Session>);

impl Session {
    /// `kept` counts the bytes that are kept of the streams of all sessions.
    pub(super) fn new(
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

    /// Keeps what is said on a stream of the session from here on.
    pub(super) fn keep(&self, stream: &Arc<Stream>) {
        let number = self.streams.lock().add(stream);
        stream.keep(number, &self.kept);
    }

    /// A stream of its own, for what belongs to no request. It takes the place of the one before.
    pub(super) fn listen(&self) -> Arc<Stream> {
        self.streams.lock().listen()
    }

    /// The stream of an event, and where to read on behind it.
    pub(super) fn resume(&self, last_event_id: &str) -> Option<(Arc<Stream>, Cursor)> {
        let (stream, event) = last_event_id.split_once('-')?;
        let stream = self.streams.lock().get(stream.parse().ok()?)?;
        let cursor = stream.read_behind(Some(event.parse().ok()?))?;
        Some((stream, cursor))
    }

    /// Whether its client comes again when its connection is gone.
    pub(super) fn polls(&self) -> bool {
        self.connection.negotiated().is_some_and(Revision::has_polling)
    }

    /// Whether no client is to come again for what it was sent away from.
    pub(super) fn is_read(&self) -> bool {
        self.streams.lock().is_read()
    }

    /// Its client was heard of.
    pub(super) fn touch(&self) {
        *self.touched.lock() = Instant::now();
    }

    /// When its client was heard of last.
    pub(super) fn touched(&self) -> Instant {
        *self.touched.lock()
    }

    /// Its client does more with it than to open it.
    pub(super) fn set_used(&self) {
        self.used.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }

    /// Counts a response on which nothing is answered.
    pub(super) fn listener(self: &Arc<Self>) -> Listener {
        self.listeners.fetch_add(1, Ordering::Relaxed);
        Listener(Arc::clone(self))
    }

    pub(super) fn is_listened_to(&self) -> bool {
        self.listeners.load(Ordering::Relaxed) > 0
    }

    /// Whether no call of it is in flight and no request of it is being answered. To be asked under the lock of the
    /// table, which holds it as well.
    pub(super) fn is_idle(self: &Arc<Self>) -> bool {
        // Whatever else has it in hand is a request.
        Arc::strong_count(self) <= 1 + self.listeners.load(Ordering::Relaxed) && self.connection.is_idle()
    }

    /// Whether it was not in use for long. `found`: how many have it in hand just to look.
    pub(super) fn is_forgotten(self: &Arc<Self>, found: usize, idle: Duration) -> bool {
        // Whoever is being answered has it in hand.
        let in_hand = Arc::strong_count(self) > 1 + found;
        !in_hand && self.touched().elapsed() >= idle && self.connection.is_idle()
    }

    /// Ends the stream on which nothing is answered.
    pub(super) fn stop_listening(&self) {
        self.streams.lock().stop_listening();
    }

    /// Forgets the streams that have been over for long.
    pub(super) fn sweep(&self) {
        self.streams.lock().sweep();
    }

    pub(super) fn end(&self) {
        self.connection.abort();
        self.streams.lock().end();
    }

    pub(super) fn is_of(&self, principal: Option<&Arc<str>>) -> bool {
        self.principal.as_ref() == principal
    }
}

impl Listener {
    pub(super) fn session(&self) -> &Arc<Session> {
        &self.0
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}
