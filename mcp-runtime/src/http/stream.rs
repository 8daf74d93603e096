//! What is said about one request, in its order: from its call to whoever reads the response.
//!
//! Of what belongs to a session, what was read is kept for a while: a client whose connection broke reads on where it
//! was, by a connection of its own (specification of 2025-03-26 to 2025-11-25, "Resumability and Redelivery").

use std::{
    collections::VecDeque,
    sync::{Arc, atomic::AtomicUsize},
    task::{Context, Poll, Waker},
    time::Duration,
};

use bytes::Bytes;
use tokio::time::Instant;

use super::replay_buffer::Kept;
use crate::{call::Outlet, mutex::Mutex, protocol::frame::Frame};

/// While so many bytes wait to be read, nothing is added that may be missed: a slow reader is not waited for.
const MOST_WAITING: usize = 256 * 1024;

/// What is said about one request.
#[derive(Default)]
pub(super) struct Stream {
    /// Whether its client comes again when it is told to.
    polls: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Frame>,
    waiting_bytes: usize,
    /// Nothing more is said.
    over: bool,
    /// To be ended for now: its client comes again after so long.
    closing: Option<Duration>,
    /// Its client was told to come again, and has not.
    away: bool,
    kept: Option<Kept>,
    waker: Option<Waker>,
}

/// How far somebody has read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    reader: u64,
    next: u64,
}

/// What a stream begins with.
pub(super) enum Begun {
    /// An answer, and nothing before it.
    Answer(Frame),
    /// Something else, or that it is to be read later.
    Speaks,
    /// It is over, and nothing was said.
    Silent,
}

/// Some of what is to be read.
pub(super) struct Event {
    pub(super) bytes: Bytes,
    /// Nothing follows.
    pub(super) last: bool,
}

/// Where what is said about one request goes. Dropped, nothing more is said.
pub(super) struct Sender(pub(super) Arc<Stream>);

impl Stream {
    /// One whose client comes again when it is told to, or whose connection broke.
    pub(super) fn polled() -> Self {
        Self { polls: true, state: Mutex::default() }
    }

    /// Nothing more is said.
    pub(super) fn end(&self) {
        let mut state = self.state.lock();
        state.end();
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }

    /// Puts an answer behind what was said, and gives it back if that is nothing.
    pub(super) fn finish_with(&self, answer: Frame) -> Option<Frame> {
        let mut state = self.state.lock();
        if state.waiting.is_empty() {
            return Some(answer);
        }
        state.push(answer);
        state.end();
        None
    }

    /// What it begins with, as soon as that is known.
    pub(super) fn poll_begun(&self, cx: &Context<'_>) -> Poll<Begun> {
        let mut state = self.state.lock();
        if state.closing.is_some() {
            return Poll::Ready(Begun::Speaks);
        }
        match state.waiting.front() {
            Some(first) if first.status.is_none() => Poll::Ready(Begun::Speaks),
            Some(_) => Poll::Ready(state.take().map_or(Begun::Silent, Begun::Answer)),
            None if state.over => Poll::Ready(Begun::Silent),
            None => state.wait(cx),
        }
    }

    /// Keeps what is read from here on, as the session's stream of this number. Where its client comes again, the first
    /// event is one of no message, so that it knows from the beginning where to read on.
    pub(super) fn keep(&self, number: u64, total: &Arc<AtomicUsize>) {
        let mut kept = Kept::new(number, total);
        if self.polls {
            kept.push(format!("id: {number}-0\nretry: {}\ndata:\n\n", RETRY.as_millis()).into());
        }
        let mut state = self.state.lock();
        state.kept = Some(kept);
        if state.over {
            state.end();
        }
    }

    /// Begins to read behind an event, from the first if there is none. Whoever read before reads no more.
    ///
    /// Nothing if what follows is not kept any more.
    pub(super) fn read_behind(&self, event: Option<u64>) -> Option<Cursor> {
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
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
        Some(cursor)
    }

    /// The next to be read, and nothing at the end.
    pub(super) fn poll_next(&self, cursor: &mut Cursor, cx: &Context<'_>) -> Poll<Option<Event>> {
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
                None => bytes_of(&frame, b"data: "),
                Some(kept) => {
                    let bytes = bytes_of(&frame, format!("id: {}-{}\ndata: ", kept.number, cursor.next).as_bytes());
                    kept.push(bytes.clone());
                    cursor.next += 1;
                    bytes
                }
            };
            return Poll::Ready(Some(Event { bytes, last: state.is_read(cursor) }));
        }
        if let Some(retry) = state.closing.take() {
            // Nobody reads until its client has come again.
            state.kept.iter_mut().for_each(|kept| kept.reader += 1);
            state.away = true;
            let bytes = format!("retry: {}\n\n", retry.as_millis()).into();
            return Poll::Ready(Some(Event { bytes, last: true }));
        }
        if state.over { Poll::Ready(None) } else { state.wait(cx) }
    }

    /// Whether its client was told to come again, and has not.
    pub(super) fn awaits_client(&self) -> bool {
        self.state.lock().away
    }

    /// Since when nothing more is said on it.
    pub(super) fn over_since(&self) -> Option<Instant> {
        self.state.lock().kept.as_ref()?.over_since
    }
}

/// After so long a client comes again whose connection broke.
const RETRY: Duration = Duration::from_secs(1);

impl State {
    fn end(&mut self) {
        self.over = true;
        if let Some(kept) = &mut self.kept {
            kept.over_since.get_or_insert_with(Instant::now);
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

    /// Whether everything there will ever be is read.
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

impl Outlet for Sender {
    fn send(&self, frame: Frame) {
        let mut state = self.0.state.lock();
        if state.over || frame.kind.may_be_dropped() && state.waiting_bytes > MOST_WAITING {
            return;
        }
        let answers = frame.status.is_some();
        state.push(frame);
        if answers {
            state.end();
        }
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }

    fn close_stream(&self, retry: Duration) {
        if !self.0.polls {
            return;
        }
        let mut state = self.0.state.lock();
        if !state.over {
            state.closing = Some(retry);
        }
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// One message as an event. JSON text has no line feeds but its last.
fn bytes_of(frame: &Frame, before: &[u8]) -> Bytes {
    let mut bytes = Vec::with_capacity(before.len() + frame.len() + 1);
    bytes.extend_from_slice(before);
    frame.write_to(&mut bytes);
    bytes.push(b'\n');
    bytes.into()
}
