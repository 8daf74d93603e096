//! What is kept of a session's stream after it was read, within bounds.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use tokio::time::Instant;

/// Of one stream, so many bytes are kept, and the last event in any case.
const MOST: usize = 256 * 1024;
/// Of all streams together.
const MOST_OF_ALL: usize = 64 * 1024 * 1024;

/// What is kept of a session's stream.
pub(super) struct Kept {
    /// Which of the session's streams it is.
    pub(super) number: u64,
    /// The place of the first event that is kept still.
    pub(super) first: u64,
    events: VecDeque<Bytes>,
    bytes: usize,
    /// The bytes that are kept of all streams.
    total: Arc<AtomicUsize>,
    /// Whoever began to read last reads on, nobody else.
    pub(super) reader: u64,
    /// Since when nothing more is said.
    pub(super) over_since: Option<Instant>,
}

impl Kept {
    pub(super) fn new(number: u64, total: &Arc<AtomicUsize>) -> Self {
        let total = Arc::clone(total);
        Self { number, first: 0, events: VecDeque::new(), bytes: 0, total, reader: 0, over_since: None }
    }

    pub(super) fn get(&self, place: u64) -> Option<Bytes> {
        self.events.get(usize::try_from(place - self.first).ok()?).cloned()
    }

    /// The place of the next event.
    pub(super) fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// Keeps an event, and what was before it as far as there is room.
    pub(super) fn push(&mut self, event: Bytes) {
        self.bytes += event.len();
        self.total.fetch_add(event.len(), Ordering::Relaxed);
        self.events.push_back(event);
        while self.bytes > MOST && self.events.len() > 1 || self.total.load(Ordering::Relaxed) > MOST_OF_ALL {
            let Some(event) = self.events.pop_front() else { break };
            self.first += 1;
            self.bytes -= event.len();
            self.total.fetch_sub(event.len(), Ordering::Relaxed);
        }
    }
}

impl Drop for Kept {
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
    fn the_oldest_go_first_and_the_last_stays() {
        let total = Arc::default();
        let mut kept = Kept::new(1, &total);
        (0..5).for_each(|_| kept.push(event(MOST / 4)));
        assert_eq!((kept.first, kept.end(), total.load(Ordering::Relaxed)), (1, 5, MOST));
        kept.push(event(2 * MOST));
        assert_eq!((kept.first, kept.end(), kept.get(5).map(|event| event.len())), (5, 6, Some(2 * MOST)));
        drop(kept);
        assert_eq!(total.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn what_all_keep_is_bounded() {
        let total = Arc::new(AtomicUsize::new(MOST_OF_ALL));
        let mut kept = Kept::new(1, &total);
        kept.push(event(1));
        assert_eq!((kept.first, kept.end(), total.load(Ordering::Relaxed)), (1, 1, MOST_OF_ALL));
    }
}
