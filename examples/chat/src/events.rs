//! The conversation as server-sent events.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::response::{
    IntoResponse as _, Response,
    sse::{Event, KeepAlive, Sse},
};
use futures_util::stream::{self, StreamExt as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::{conversation::Conversation, item::Item};

/// How long a page waits before it connects again.
const RETRY: Duration = Duration::from_millis(500);

/// How many tabs can follow one conversation.
const FOLLOWERS: usize = 16;

/// How often a silent stream sends a comment, so that proxies keep the connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Sends the entries behind the entry `seen`, and the later ones as they come. If they come from the beginning, the event
/// `begin` tells the page to forget what it shows.
///
/// Returns `None` if the program, or the conversation, has too many followers.
pub(crate) fn response(streams: &Arc<Semaphore>, conversation: Arc<Conversation>, seen: u64) -> Option<Response> {
    let place = Arc::clone(streams).try_acquire_owned().ok()?;
    if conversation.length.receiver_count() >= FOLLOWERS {
        return None;
    }
    let begin = (seen == 0).then(|| Event::default().event("begin").retry(RETRY).data("{}"));
    let changed = conversation.length.subscribe();
    let entries = Entries { conversation, changed, seen, ready: Vec::new(), _place: place };
    let later = stream::unfold(entries, |mut entries| async { Some((entries.next().await?, entries)) });
    let events = stream::iter(begin).chain(later).map(Ok::<_, Infallible>);
    Some(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

/// The entries that a page has not seen yet.
struct Entries {
    conversation: Arc<Conversation>,
    changed: watch::Receiver<u64>,
    seen: u64,
    /// The next entries, in reverse order.
    ready: Vec<Arc<Item>>,
    _place: OwnedSemaphorePermit,
}

impl Entries {
    /// Waits for the next entry. Returns `None` if the conversation was cleared, or if the program ends.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(item) = self.ready.pop() {
                self.seen = item.id;
                // The conversation is part of the id: a page that was away must not mix two of them.
                let id = format!("{}-{}", self.conversation.began(), item.id);
                let data = serde_json::to_string(&*item).unwrap_or_default();
                return Some(Event::default().id(id).event("item").data(data));
            }
            if *self.changed.borrow_and_update() == u64::MAX {
                return None;
            }
            self.ready = self.conversation.after(self.seen);
            self.ready.reverse();
            if self.ready.is_empty() {
                self.changed.changed().await.ok()?;
            }
        }
    }
}
