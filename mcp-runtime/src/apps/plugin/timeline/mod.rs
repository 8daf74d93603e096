//! The timeline of one call: its events in order. Handles and streams follow the timeline.

pub(crate) mod event;
pub(crate) mod question;
mod timeline_state;

use std::{pin::pin, sync::Arc};

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use self::timeline_state::{EventWeight, TimelineEntry, TimelineState};
pub(crate) use self::timeline_state::{LogBudget, TooLong};
use crate::base::{clock, mutex::Mutex};

/// After a restart, event numbers continue after a gap of this size, because clients may have seen events that were not
/// stored.
const RESERVED: u64 = 1 << 20;

/// The timeline of a call. Events are kept as JSON text. The first event is `started`.
pub(crate) struct Timeline {
    state: Mutex<TimelineState>,
    changed: Arc<Notify>,
}

/// The text of the event `started`, the only copy of the call's arguments.
#[derive(Clone)]
pub(crate) struct StartedEvent(Arc<str>);

/// The events that a follower has not seen yet.
pub(crate) enum TimelineRead {
    Events(Vec<(u64, Arc<str>)>),
    /// There are no more events, because the call has ended.
    Over,
}

impl Timeline {
    /// Creates the timeline of a new call with its first event, which stays hidden until [`show`](Self::show) is called.
    /// `started` is the body of the event, whose last member is `arguments`.
    ///
    /// # Errors
    /// Returns an error if the event is too long.
    pub(crate) fn new(started: &impl Serialize, most: usize, logs: Arc<LogBudget>) -> Result<Self, TooLong> {
        let timeline = Self::of(TimelineState::new(most, logs));
        timeline.push_hidden("started", started)?;
        Ok(timeline)
    }

    /// Creates the timeline of a call that was stored. `events` are in order. `reserved` is the id of the next event.
    pub(crate) fn stored(
        events: Vec<(u64, Box<RawValue>)>,
        reserved: u64,
        is_over: bool,
        most: usize,
        logs: Arc<LogBudget>,
    ) -> Self {
        // Events that were stored under a higher limit stay.
        let stored = events.iter().map(|(_, event)| event.get().len()).sum();
        let mut state = TimelineState::new(most.max(stored), logs);
        for (id, event) in events {
            let text: Arc<str> = event.get().into();
            let _ = state.insert(TimelineEntry { id, weight: EventWeight::of(name_of(&text)), text });
        }
        (state.next, state.is_over) = (reserved, is_over);
        Self::of(state)
    }

    fn of(state: TimelineState) -> Self {
        Self { state: Mutex::new(state), changed: Arc::default() }
    }

    /// Appends an event and shows it to followers. The JSON text of the event begins with the id, the time and the
    /// name. The members of `body` follow. `body` is a struct or a map. An event that is too long is left out.
    pub(crate) fn push(&self, name: &str, body: &impl Serialize) {
        if self.append(name, body, false).is_ok() {
            self.changed.notify_waiters();
        }
    }

    /// Appends an event that stays hidden until [`show`](Self::show) is called.
    ///
    /// # Errors
    /// Returns an error if the event is too long. The timeline is then unchanged.
    pub(crate) fn push_hidden(&self, name: &str, body: &impl Serialize) -> Result<(), TooLong> {
        self.append(name, body, true)
    }

    /// Makes all events visible. If `is_over` is set, the last event is the end of the call.
    pub(crate) fn show(&self, is_over: bool) {
        let mut state = self.state.lock();
        state.hidden_from = None;
        state.is_over |= is_over;
        drop(state);
        self.changed.notify_waiters();
    }

    /// Waits for events with an id above `after`.
    pub(crate) async fn read(&self, after: u64) -> TimelineRead {
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
    fn look(&self, after: u64) -> Option<TimelineRead> {
        const AT_ONCE: usize = 256;
        let state = self.state.lock();
        let events: Vec<_> =
            state.visible_after(after).take(AT_ONCE).map(|entry| (entry.id, Arc::clone(&entry.text))).collect();
        match events.is_empty() {
            false => Some(TimelineRead::Events(events)),
            true => state.is_over.then_some(TimelineRead::Over),
        }
    }

    /// Returns the first visible event with an id above `after`.
    pub(crate) fn first_after(&self, after: u64) -> Option<(u64, Arc<str>)> {
        self.state.lock().visible_after(after).next().map(|entry| (entry.id, Arc::clone(&entry.text)))
    }

    /// Returns whether the call has ended and all its events are visible.
    pub(crate) fn is_over(&self) -> bool {
        self.state.lock().is_over
    }

    /// Returns what is notified when an event becomes visible.
    pub(crate) fn changed(&self) -> &Arc<Notify> {
        &self.changed
    }

    /// Returns the id of the last visible event.
    pub(crate) fn last(&self) -> u64 {
        self.state.lock().last_visible()
    }

    /// Returns the last question, even if its event is hidden.
    pub(crate) fn last_elicit(&self) -> Option<Arc<str>> {
        self.state.lock().last_elicit()
    }

    /// Returns the first event.
    pub(crate) fn started(&self) -> StartedEvent {
        StartedEvent(self.state.lock().entries.front().map_or_else(|| "{}".into(), |first| Arc::clone(&first.text)))
    }

    /// Replaces the arguments in the first event by an empty object.
    pub(crate) fn forget_arguments(&self) {
        let text = self.started().without_arguments();
        self.state.lock().replace_first(text);
    }

    /// Returns the bytes of all events, and the bytes of the events that are not log messages.
    pub(crate) fn bytes(&self) -> (usize, usize) {
        let state = self.state.lock();
        (state.bytes + state.log_bytes, state.bytes)
    }

    /// Returns all events, and the first id that may be used after a restart.
    pub(crate) fn all(&self) -> (Vec<(u64, Arc<str>)>, u64) {
        let state = self.state.lock();
        let events = state.entries.iter().map(|entry| (entry.id, Arc::clone(&entry.text))).collect();
        (events, state.next + RESERVED)
    }

    fn append(&self, name: &str, body: &impl Serialize, hidden: bool) -> Result<(), TooLong> {
        // Fails only for a value that cannot be written as JSON. An author's values were JSON before.
        let body = serde_json::to_string(body).unwrap_or_default();
        let members = body.strip_prefix('{').filter(|members| *members != "}");
        let mut state = self.state.lock();
        let (id, at) = (state.next, clock::now());
        let text = match members {
            Some(members) => format!(r#"{{"id":{id},"at":{at},"type":"{name}",{members}"#),
            None => format!(r#"{{"id":{id},"at":{at},"type":"{name}"}}"#),
        };
        state.insert(TimelineEntry { id, weight: EventWeight::of(name), text: text.into() })?;
        state.next += 1;
        if hidden {
            state.hidden_from.get_or_insert(id);
        }
        Ok(())
    }
}

/// Returns the type of an event. In the text, the type follows the id and the time.
pub(crate) fn name_of(text: &str) -> &str {
    let name = text.split_once(r#""type":""#).and_then(|(_, rest)| rest.split_once('"'));
    name.map_or("message", |(name, _)| name)
}

impl StartedEvent {
    /// Returns the arguments, a JSON object.
    pub(crate) fn arguments(&self) -> &RawValue {
        serde_json::from_str(self.text()).unwrap_or(RawValue::NULL)
    }

    /// Returns the arguments as text.
    pub(crate) fn text(&self) -> &str {
        let text = self.0.split_once(Self::MARKER).and_then(|(_, arguments)| arguments.strip_suffix('}'));
        text.unwrap_or("null")
    }

    /// What is before the arguments. A JSON string cannot contain it, because its quotes would be escaped.
    const MARKER: &str = r#","arguments":"#;

    fn without_arguments(&self) -> Arc<str> {
        let head = self.0.split_once(Self::MARKER).map_or("{", |(head, _)| head);
        format!("{head}{}{{}}}}", Self::MARKER).into()
    }
}
