//! The events that all followers of a session get, as one stream.

use std::{collections::VecDeque, sync::Arc};

use tokio::sync::Notify;

use super::api::state::DevEvent;
use crate::base::mutex::Mutex;

/// How many bytes of events are kept for followers that are behind.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The latest events. A follower reads them at its own pace, and needs no memory of its own. If a follower is so slow
/// that its next event was dropped, it begins again with the current state.
#[derive(Default)]
pub(crate) struct EventHub {
    state: Mutex<HubState>,
    /// Notified when there is another event.
    pub(crate) changed: Arc<Notify>,
}

#[derive(Default)]
struct HubState {
    /// How many events were dropped. Ids begin with 1.
    dropped: u64,
    events: VecDeque<Arc<str>>,
    bytes: usize,
}

/// The next event of a follower.
#[derive(Debug, PartialEq)]
pub(crate) enum NextEvent {
    Event(u64, Arc<str>),
    /// The follower has all events.
    NoneYet,
    /// The follower's next event was dropped, or never existed.
    Missed,
}

impl EventHub {
    /// Adds an event. Returns the length of its JSON.
    pub(crate) fn publish(&self, event: &DevEvent<'_>) -> usize {
        // Every event can be written as JSON.
        let text = serde_json::to_string(event).unwrap_or_default();
        let length = text.len();
        self.publish_text(text);
        length
    }

    fn publish_text(&self, text: String) {
        let mut state = self.state.lock();
        state.bytes += text.len();
        state.events.push_back(text.into());
        while state.bytes > MOST_BYTES
            && state.events.len() > 1
            && let Some(event) = state.events.pop_front()
        {
            state.bytes -= event.len();
            state.dropped += 1;
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Returns the id of the latest event, 0 before the first one.
    pub(crate) fn last(&self) -> u64 {
        let state = self.state.lock();
        state.dropped + state.events.len() as u64
    }

    /// Returns the event after the one with this id.
    pub(crate) fn after(&self, id: u64) -> NextEvent {
        let state = self.state.lock();
        let Some(at) = id.checked_sub(state.dropped).and_then(|at| usize::try_from(at).ok()) else {
            return NextEvent::Missed;
        };
        match state.events.get(at) {
            Some(event) => NextEvent::Event(id + 1, Arc::clone(event)),
            None if at == state.events.len() => NextEvent::NoneYet,
            None => NextEvent::Missed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_follower_gets_each_event_once_in_order() {
        let hub = EventHub::default();
        assert_eq!(hub.after(0), NextEvent::NoneYet);
        hub.publish(&DevEvent::ItemsChanged);
        hub.publish(&DevEvent::Messages { total: 2, dropped: 0 });
        assert_eq!(hub.after(0), NextEvent::Event(1, r#"{"type":"items_changed"}"#.into()));
        assert_eq!(hub.after(1), NextEvent::Event(2, r#"{"type":"messages","total":2,"dropped":0}"#.into()));
        assert_eq!((hub.after(2), hub.last()), (NextEvent::NoneYet, 2));
        assert_eq!(hub.after(3), NextEvent::Missed);
    }

    #[test]
    fn a_slow_follower_misses_dropped_events_and_learns_it() {
        let hub = EventHub::default();
        for _ in 0..20 {
            hub.publish_text("x".repeat(1024 * 1024));
        }
        assert_eq!(hub.after(0), NextEvent::Missed);
        assert_eq!(hub.last(), 20);
        assert!(matches!(hub.after(19), NextEvent::Event(20, _)));
        assert!(hub.state.lock().bytes <= MOST_BYTES);
    }
}
