//! The timeline of one call: its events in order. Handles and streams follow the timeline.

use std::{collections::VecDeque, pin::pin, sync::Arc};

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use crate::{call::clock, mutex::Mutex};

/// The maximum number of log messages that are kept for a call. The oldest ones are dropped.
const MOST_LOGS: usize = 500;
/// The maximum number of bytes of log messages that are kept for a call.
const MOST_LOG_BYTES: usize = 128 * 1024;
/// After a restart, event numbers continue after a gap of this size, because clients may have seen events that were not
/// stored.
const RESERVED: u64 = 1 << 20;

/// The timeline of a call. Events are kept as JSON text.
pub(super) struct Timeline {
    state: Mutex<TimelineState>,
    changed: Notify,
}

struct TimelineState {
    entries: VecDeque<TimelineEntry>,
    /// The id of the next event.
    next: u64,
    /// Events with this id or a larger one are not visible yet. They become visible when they are stored.
    hidden_from: Option<u64>,
    logs: usize,
    log_bytes: usize,
    is_over: bool,
}

struct TimelineEntry {
    id: u64,
    weight: EventWeight,
    text: Arc<str>,
}

/// Decides whether an event may be dropped when a timeline grows long.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EventWeight {
    Log,
    /// Only the last event of this kind is kept.
    Progress,
    /// Never dropped.
    Kept,
}

/// The events that a follower has not seen yet.
pub(super) enum TimelineRead {
    Events(Vec<(u64, Arc<str>)>),
    /// There are no more events, because the call has ended.
    Over,
}

impl Timeline {
    pub(super) fn new() -> Self {
        Self::from_entries(VecDeque::new(), 1, false)
    }

    /// Creates the timeline of a call that was stored. `events` are in order.
    pub(super) fn stored(events: Vec<(u64, Box<RawValue>)>, reserved: u64, is_over: bool) -> Self {
        let entries = events.into_iter().map(|(id, event)| TimelineEntry {
            id,
            weight: EventWeight::Kept,
            text: event.get().into(),
        });
        Self::from_entries(entries.collect(), reserved, is_over)
    }

    fn from_entries(entries: VecDeque<TimelineEntry>, next: u64, is_over: bool) -> Self {
        let state = TimelineState { entries, next, hidden_from: None, logs: 0, log_bytes: 0, is_over };
        Self { state: Mutex::new(state), changed: Notify::new() }
    }

    /// Appends an event and shows it to followers. The JSON text of the event begins with the id, the time and the
    /// name. The members of `body` follow. `body` is a struct or a map.
    pub(super) fn push(&self, weight: EventWeight, name: &str, body: &impl Serialize) {
        self.append(weight, name, body, false);
        self.changed.notify_waiters();
    }

    /// Appends an event that stays hidden until [`show`](Self::show) is called.
    pub(super) fn push_hidden(&self, name: &str, body: &impl Serialize) {
        self.append(EventWeight::Kept, name, body, true);
    }

    /// Makes all events visible. If `is_over` is set, the last event is the end of the call.
    pub(super) fn show(&self, is_over: bool) {
        let mut state = self.state.lock();
        state.hidden_from = None;
        state.is_over |= is_over;
        drop(state);
        self.changed.notify_waiters();
    }

    /// Waits for events with an id above `after`.
    pub(super) async fn read(&self, after: u64) -> TimelineRead {
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            if let Some(read) = self.look(after) {
                return read;
            }
            changed.await;
        }
    }

    /// Returns the first events with an id above `after`, at most 256. Returns `None` if there are none yet and the
    /// call has not ended.
    pub(super) fn look(&self, after: u64) -> Option<TimelineRead> {
        const AT_ONCE: usize = 256;
        let state = self.state.lock();
        let end = state.hidden_from.unwrap_or(u64::MAX);
        let start = state.entries.partition_point(|entry| entry.id <= after);
        let visible = state.entries.iter().skip(start).take_while(|entry| entry.id < end);
        let events: Vec<_> = visible.take(AT_ONCE).map(|entry| (entry.id, Arc::clone(&entry.text))).collect();
        match events.is_empty() {
            false => Some(TimelineRead::Events(events)),
            true => state.is_over.then_some(TimelineRead::Over),
        }
    }

    /// Returns the id of the last visible event.
    pub(super) fn last(&self) -> u64 {
        let state = self.state.lock();
        let end = state.hidden_from.unwrap_or(u64::MAX);
        state.entries.iter().rev().find(|entry| entry.id < end).map_or(0, |entry| entry.id)
    }

    /// Returns the last event with this name, even if the event is hidden.
    pub(super) fn last_named(&self, name: &str) -> Option<Arc<str>> {
        let marker = format!(r#","type":"{name}""#);
        let state = self.state.lock();
        let named = |entry: &&TimelineEntry| entry.weight == EventWeight::Kept && is_named(&entry.text, &marker);
        state.entries.iter().rev().find(named).map(|entry| Arc::clone(&entry.text))
    }

    /// Returns all events, and the first id that may be used after a restart.
    pub(super) fn all(&self) -> (Vec<(u64, Arc<str>)>, u64) {
        let state = self.state.lock();
        let events = state.entries.iter().map(|entry| (entry.id, Arc::clone(&entry.text))).collect();
        (events, state.next + RESERVED)
    }

    fn append(&self, weight: EventWeight, name: &str, body: &impl Serialize, hidden: bool) {
        // Fails only for a value that cannot be written as JSON. An author's values were JSON before.
        let body = serde_json::to_string(body).unwrap_or_default();
        let members = body.strip_prefix('{').filter(|members| *members != "}");
        let mut state = self.state.lock();
        let id = state.take_id();
        let at = clock::now();
        let text = match members {
            Some(members) => format!(r#"{{"id":{id},"at":{at},"type":"{name}",{members}"#),
            None => format!(r#"{{"id":{id},"at":{at},"type":"{name}"}}"#),
        };
        if hidden {
            state.hidden_from.get_or_insert(id);
        }
        state.insert(TimelineEntry { id, weight, text: text.into() });
    }
}

/// Returns whether the event has this name. The name follows the id and the time.
fn is_named(text: &str, marker: &str) -> bool {
    /// More bytes than the longest id and time need.
    const HEAD: usize = 64;
    text.find(marker).is_some_and(|at| at < HEAD)
}

impl TimelineState {
    fn take_id(&mut self) -> u64 {
        let id = self.next;
        self.next += 1;
        id
    }

    fn insert(&mut self, entry: TimelineEntry) {
        match entry.weight {
            EventWeight::Kept => {}
            EventWeight::Progress => self.entries.retain(|earlier| earlier.weight != EventWeight::Progress),
            EventWeight::Log => {
                self.logs += 1;
                self.log_bytes += entry.text.len();
                while self.logs > MOST_LOGS || self.logs > 1 && self.log_bytes > MOST_LOG_BYTES {
                    self.drop_oldest_log();
                }
            }
        }
        self.entries.push_back(entry);
    }

    fn drop_oldest_log(&mut self) {
        let oldest = self.entries.iter().position(|entry| entry.weight == EventWeight::Log);
        self.logs -= 1;
        if let Some(entry) = oldest.and_then(|index| self.entries.remove(index)) {
            self.log_bytes -= entry.text.len();
        }
    }
}
