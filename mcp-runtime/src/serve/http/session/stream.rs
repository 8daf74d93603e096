//! The messages that a request's call sends to its client, in order.
//!
//! A session's stream is kept for a minute after its end. A client whose connection broke can resume the stream on a
//! new connection (specification of 2025-03-26 to 2025-11-25, "Resumability and Redelivery").

use std::{
    collections::VecDeque,
    io::Write as _,
    sync::{Arc, MutexGuard, atomic::AtomicUsize},
    task::{Context, Poll, Waker},
    time::Duration,
};

use bytes::Bytes;
use tokio::time::Instant;

use super::replay_buffer::ReplayBuffer;
use crate::{base::mutex::Mutex, engine::call::MessageSink, wire::protocol::frame::Frame};

/// While the client has more unread bytes than this, the server drops log messages and progress. A call never waits for
/// its client.
const MAX_WAITING_BYTES: usize = 256 * 1024;

/// The messages that the server sends for one request, or the messages of a session that belong to no request.
#[derive(Default)]
pub(crate) struct Stream {
    /// Whether the client reconnects when the server closes the stream, or when the connection breaks.
    polls: bool,
    /// Whether the stream carries only the answer, which is sent as JSON.
    pub(crate) only_answer: bool,
    state: Mutex<StreamState>,
}

#[derive(Default)]
struct StreamState {
    waiting: VecDeque<Frame>,
    waiting_bytes: usize,
    /// Whether the stream has ended.
    over: bool,
    /// If set, the server will close the connection early, and the client reconnects after this time.
    closing: Option<Duration>,
    /// Whether the server closed the connection early, and the client has not reconnected yet.
    away: bool,
    kept: Option<ReplayBuffer>,
    waker: Option<Waker>,
}

/// The position of one reader (a response that sends the events) in a stream.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    reader: u64,
    next: u64,
}

/// The first event on a stream.
pub(crate) enum FirstEvent {
    /// The first message is the answer.
    Answer(Frame),
    /// The first message is not an answer, or the server closes the connection early.
    Opened,
    /// The stream ended without a message.
    Silent,
}

/// One event of the response body.
pub(crate) struct Event {
    pub(crate) bytes: Bytes,
    /// Whether this is the last event of the response body.
    pub(crate) last: bool,
}

/// The sending half of a stream. Dropping it ends the stream.
pub(crate) struct StreamSink(pub(crate) Arc<Stream>);

impl Stream {
    /// Creates a stream. `polls` says whether the client reconnects when the server closes the connection, or when the
    /// connection breaks. If `only_answer` is set, the stream drops all messages before the answer.
    pub(crate) fn new(polls: bool, only_answer: bool) -> Self {
        Self { polls, only_answer, ..Self::default() }
    }

    /// Ends the stream.
    pub(crate) fn end(&self) {
        let mut state = self.state.lock();
        state.end();
        wake(state);
    }

    /// Appends a message, unless the client reads too slowly and messages of this kind can be dropped.
    pub(crate) fn send(&self, frame: Frame) {
        let answers = frame.status.is_some();
        let mut state = self.state.lock();
        let is_dropped = frame.kind.may_be_dropped() && state.waiting_bytes > MAX_WAITING_BYTES;
        if state.over || is_dropped || self.only_answer && !answers {
            return;
        }
        state.push(frame);
        if answers {
            state.end();
        }
        wake(state);
    }

    /// Ends the stream, and returns the messages that no reader has taken.
    pub(crate) fn take_rest(&self) -> VecDeque<Frame> {
        let mut state = self.state.lock();
        let rest = std::mem::take(&mut state.waiting);
        state.waiting_bytes = 0;
        state.end();
        wake(state);
        rest
    }

    /// Returns the answer if no earlier message is waiting. Otherwise appends the answer, ends the stream, and returns
    /// `None`.
    pub(crate) fn finish_with(&self, answer: Frame) -> Option<Frame> {
        let mut state = self.state.lock();
        if state.waiting.is_empty() {
            return Some(answer);
        }
        state.push(answer);
        state.end();
        None
    }

    /// Returns the first message of the stream, or the end of the stream, if it is there.
    pub(crate) fn begun(&self) -> Option<FirstEvent> {
        self.state.lock().begun()
    }

    /// Polls for the first message of the stream, or for the end of the stream.
    pub(crate) fn poll_begun(&self, cx: &Context<'_>) -> Poll<FirstEvent> {
        let mut state = self.state.lock();
        match state.begun() {
            Some(first) => Poll::Ready(first),
            None => state.wait(cx),
        }
    }

    /// Starts to buffer the events. `number` is the number of this stream in its session. If the client can reconnect,
    /// the first event is empty but has an id, so that the client can resume the stream even before a message has
    /// arrived.
    pub(crate) fn keep(&self, number: u64, total: &Arc<AtomicUsize>) {
        let mut kept = ReplayBuffer::new(number, total);
        if self.polls {
            kept.push(format!("id: {number}-0\nretry: {}\ndata:\n\n", RETRY.as_millis()).into());
        }
        let mut state = self.state.lock();
        state.kept = Some(kept);
        if state.over {
            state.end();
        }
    }

    /// Starts a reader after this event, or at the first event if `event` is `None`. An earlier reader stops.
    ///
    /// Returns `None` if the following events are no longer buffered.
    pub(crate) fn read_behind(&self, event: Option<u64>) -> Option<Cursor> {
        let mut state = self.state.lock();
        if event.is_some() {
            state.closing = None;
            state.away = false;
        }
        let Some(kept) = &mut state.kept else { return Some(Cursor::default()) };
        let next = event.map_or(0, |event| event.saturating_add(1));
        if next < kept.first || kept.end() < next {
            return None;
        }
        kept.reader += 1;
        let cursor = Cursor { reader: kept.reader, next };
        wake(state);
        Some(cursor)
    }

    /// Polls for the next event. Returns `None` at the end of the stream, or if a newer reader replaced this reader.
    pub(crate) fn poll_next(&self, cursor: &mut Cursor, cx: &Context<'_>) -> Poll<Option<Event>> {
        let mut state = self.state.lock();
        if let Some(kept) = &state.kept {
            if kept.reader != cursor.reader || cursor.next < kept.first {
                return Poll::Ready(None);
            }
            if let Some(bytes) = kept.get(cursor.next) {
                cursor.next += 1;
                return Poll::Ready(Some(Event { bytes, last: state.is_read(cursor) }));
            }
        }
        if let Some(frame) = state.take() {
            let bytes = match &mut state.kept {
                None => bytes_of(&frame, None),
                Some(kept) => {
                    let bytes = bytes_of(&frame, Some((kept.number, cursor.next)));
                    kept.push(bytes.clone());
                    cursor.next += 1;
                    bytes
                }
            };
            return Poll::Ready(Some(Event { bytes, last: state.is_read(cursor) }));
        }
        if let Some(retry) = state.closing.take() {
            // No reader is valid until the client reconnects.
            state.kept.iter_mut().for_each(|kept| kept.reader += 1);
            state.away = true;
            let bytes = format!("retry: {}\n\n", retry.as_millis()).into();
            return Poll::Ready(Some(Event { bytes, last: true }));
        }
        if state.over { Poll::Ready(None) } else { state.wait(cx) }
    }

    /// Whether the server closed the connection early, and the client has not reconnected yet.
    pub(crate) fn awaits_client(&self) -> bool {
        self.state.lock().away
    }

    /// Returns when the stream ended. Returns `None` if the stream is open, or if its events are not buffered.
    pub(crate) fn over_since(&self) -> Option<Instant> {
        self.state.lock().kept.as_ref()?.over_since
    }
}

/// Wakes the reader of the stream.
fn wake(mut state: MutexGuard<'_, StreamState>) {
    let waker = state.waker.take();
    drop(state);
    waker.into_iter().for_each(Waker::wake);
}

/// How long a client waits before it reconnects.
const RETRY: Duration = Duration::from_secs(1);

impl StreamState {
    fn end(&mut self) {
        self.over = true;
        if let Some(kept) = &mut self.kept {
            kept.over_since.get_or_insert_with(Instant::now);
        }
    }

    fn begun(&mut self) -> Option<FirstEvent> {
        if self.closing.is_some() {
            return Some(FirstEvent::Opened);
        }
        match self.waiting.front() {
            Some(first) if first.status.is_none() => Some(FirstEvent::Opened),
            Some(_) => self.take().map(FirstEvent::Answer),
            None => self.over.then_some(FirstEvent::Silent),
        }
    }

    fn push(&mut self, frame: Frame) {
        self.waiting_bytes += frame.len();
        self.waiting.push_back(frame);
    }

    fn take(&mut self) -> Option<Frame> {
        let frame = self.waiting.pop_front()?;
        self.waiting_bytes -= frame.len();
        Some(frame)
    }

    /// Whether the stream has ended and the client has read all events.
    fn is_read(&self, cursor: &Cursor) -> bool {
        self.over && self.waiting.is_empty() && self.kept.as_ref().is_none_or(|kept| cursor.next == kept.end())
    }

    fn wait<T>(&mut self, cx: &Context<'_>) -> Poll<T> {
        match &mut self.waker {
            Some(waker) => waker.clone_from(cx.waker()),
            none => *none = Some(cx.waker().clone()),
        }
        Poll::Pending
    }
}

impl MessageSink for StreamSink {
    fn send(&self, frame: Frame) {
        self.0.send(frame);
    }

    fn close_stream(&self, retry: Duration) {
        if !self.0.polls {
            return;
        }
        let mut state = self.0.state.lock();
        if !state.over {
            state.closing = Some(retry);
        }
        wake(state);
    }
}

impl Drop for StreamSink {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Formats one message as an event. `id` consists of the number of the stream and that of the event. The JSON text of a
/// frame has a line feed at its end and nowhere else.
fn bytes_of(frame: &Frame, id: Option<(u64, u64)>) -> Bytes {
    let digits = |number: u64| 1 + number.checked_ilog10().unwrap_or(0) as usize;
    let length_of_id = id.map_or(0, |(stream, event)| "id: -\n".len() + digits(stream) + digits(event));
    // Exact, because a vector that is larger than its bytes costs another allocation.
    let mut bytes = Vec::with_capacity(length_of_id + "data: ".len() + frame.len() + 1);
    if let Some((stream, event)) = id {
        // Writing to memory does not fail.
        let _ = writeln!(bytes, "id: {stream}-{event}");
    }
    bytes.extend_from_slice(b"data: ");
    frame.write_to(&mut bytes);
    bytes.push(b'\n');
    bytes.into()
}
