//! The streams of a session that a client can resume.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use super::stream::Stream;

/// How long a client can resume a stream after its end.
const KEPT_FOR: Duration = Duration::from_secs(60);
/// The maximum number of ended streams that a session keeps.
const MAX_ENDED: usize = 64;

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
