//! Keeps the events of a session's stream, up to a limit, so that a client can read them again.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use tokio::time::Instant;

/// The maximum number of buffered bytes of one stream. The last event stays even if it is larger.
const MAX_BYTES: usize = 256 * 1024;
/// The maximum number of buffered bytes of all streams together.
const MAX_TOTAL_BYTES: usize = 64 * 1024 * 1024;

/// The buffered events of a session's stream, which the client can read again.
pub(crate) struct ReplayBuffer {
    /// The number of the stream in its session.
    pub(crate) number: u64,
    /// The oldest buffered event's position in the stream.
    pub(crate) first: u64,
    events: VecDeque<Bytes>,
    bytes: usize,
    /// The number of buffered bytes of all streams together.
    total: Arc<AtomicUsize>,
    /// The number of the newest reader: the response that now sends the events. Older readers have smaller numbers. A
    /// reader stops when it sees that it is not the newest.
    pub(crate) reader: u64,
    /// When the stream ended. `None` while the stream is open.
    pub(crate) over_since: Option<Instant>,
}

impl ReplayBuffer {
    pub(crate) fn new(number: u64, total: &Arc<AtomicUsize>) -> Self {
        let total = Arc::clone(total);
        Self { number, first: 0, events: VecDeque::new(), bytes: 0, total, reader: 0, over_since: None }
    }

    pub(crate) fn get(&self, place: u64) -> Option<Bytes> {
        self.events.get(usize::try_from(place - self.first).ok()?).cloned()
    }

    /// Returns the position in the stream that the next event will have.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// Adds an event, and drops the oldest events until both byte limits are met.
    pub(crate) fn push(&mut self, event: Bytes) {
        self.bytes += event.len();
        self.total.fetch_add(event.len(), Ordering::Relaxed);
        self.events.push_back(event);
        while self.bytes > MAX_BYTES && self.events.len() > 1 || self.total.load(Ordering::Relaxed) > MAX_TOTAL_BYTES {
            let Some(event) = self.events.pop_front() else { break };
            self.first += 1;
            self.bytes -= event.len();
            self.total.fetch_sub(event.len(), Ordering::Relaxed);
        }
    }
}

impl Drop for ReplayBuffer {
    fn drop(&mut self) {
        self.total.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(bytes: usize) -> Bytes {
        vec![b'x'; bytes].into()
    }

    #[test]
    fn drops_the_oldest_events_but_never_the_last() {
        let total = Arc::default();
        let mut kept = ReplayBuffer::new(1, &total);
        (0..5).for_each(|_| kept.push(event(MAX_BYTES / 4)));
        assert_eq!((kept.first, kept.end(), total.load(Ordering::Relaxed)), (1, 5, MAX_BYTES));
        kept.push(event(2 * MAX_BYTES));
        assert_eq!((kept.first, kept.end(), kept.get(5).map(|event| event.len())), (5, 6, Some(2 * MAX_BYTES)));
        drop(kept);
        assert_eq!(total.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn bounds_the_bytes_of_all_streams() {
        let total = Arc::new(AtomicUsize::new(MAX_TOTAL_BYTES));
        let mut kept = ReplayBuffer::new(1, &total);
        kept.push(event(1));
        assert_eq!((kept.first, kept.end(), total.load(Ordering::Relaxed)), (1, 1, MAX_TOTAL_BYTES));
    }
}
