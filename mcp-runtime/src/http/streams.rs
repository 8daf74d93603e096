//! The streams of a session that can be read again.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use super::stream::Stream;

/// So long a stream can still be read again when it is over.
const KEPT: Duration = Duration::from_secs(60);
/// So many that are over are kept.
const MOST: usize = 64;

/// The streams of a session.
#[derive(Default)]
pub(super) struct Streams {
    /// How many there were.
    count: u64,
    /// By their numbers, the oldest first.
    kept: VecDeque<(u64, Arc<Stream>)>,
    /// That of no request.
    listening: Option<Arc<Stream>>,
}

impl Streams {
    /// Keeps a stream, and gives it its number.
    pub(super) fn add(&mut self, stream: &Arc<Stream>) -> u64 {
        while self.kept.front().is_some_and(|(_, oldest)| is_forgotten(oldest)) {
            self.kept.pop_front();
        }
        if self.kept.len() >= MOST
            && let Some(oldest) = self.kept.iter().position(|(_, stream)| stream.over_since().is_some())
        {
            self.kept.remove(oldest);
        }
        self.count += 1;
        self.kept.push_back((self.count, Arc::clone(stream)));
        self.count
    }

    pub(super) fn get(&self, number: u64) -> Option<Arc<Stream>> {
        let found = self.kept.iter().find(|(of, _)| *of == number);
        found.map(|(_, stream)| Arc::clone(stream))
    }

    /// The stream of no request. The one before ends: a client whose connection is gone opens another.
    pub(super) fn listen(&mut self) -> Arc<Stream> {
        let stream = Arc::<Stream>::default();
        if let Some(before) = self.listening.replace(Arc::clone(&stream)) {
            before.end();
        }
        stream
    }

    /// Whether no client is to come again to one of them.
    pub(super) fn is_read(&self) -> bool {
        !self.kept.iter().any(|(_, stream)| stream.awaits_client())
    }

    /// Forgets what has been over for long.
    pub(super) fn sweep(&mut self) {
        self.kept.retain(|(_, stream)| !is_forgotten(stream));
    }

    pub(super) fn end(&mut self) {
        self.kept.drain(..).for_each(|(_, stream)| stream.end());
        self.stop_listening();
    }

    /// Ends the stream of no request.
    pub(super) fn stop_listening(&mut self) {
        self.listening.take().into_iter().for_each(|stream| stream.end());
    }
}

/// Whether it has been over for long.
fn is_forgotten(stream: &Stream) -> bool {
    stream.over_since().is_some_and(|since| since.elapsed() >= KEPT)
}
