//! The timeline of one call: its events in order. Handles and streams follow the timeline.

pub(crate) mod event;
pub(crate) mod question;
mod timeline_state;

use std::{borrow::Cow, pin::pin, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::Notify;

pub(crate) use self::timeline_state::{LogBudget, TimelineEntry, TooLong};
use self::{event::TimelineEventKind, question::PluginQuestion, timeline_state::TimelineState};
use crate::base::{clock, mutex::Mutex};

/// After a restart, event numbers continue after a gap of this size, because clients may have seen events that were not
/// stored.
const RESERVED: u64 = 1 << 20;

/// The timeline of a call. The first event is `started`.
///
/// An event is written as JSON once, when it happens. Pages and the store get this text, and the limits count its bytes.
/// The parsed values would need several times as much memory.
pub(crate) struct Timeline {
    state: Mutex<TimelineState>,
    changed: Arc<Notify>,
}

/// The text of the event `started`, the only copy of the call's arguments.
#[derive(Clone)]
pub(crate) struct StartedEvent(Arc<String>);

/// An event that contains JSON of the caller or the tool, which stays text so that its numbers keep their digits.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum RawEventKind<'a> {
    Started {
        tool: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'a str>,
        /// The last member: see [`StartedEvent::MARKER`].
        arguments: &'a RawValue,
    },
    Finished {
        result: &'a RawValue,
    },
}

#[derive(Serialize)]
struct WrittenEvent<'a, K> {
    id: u64,
    at: u64,
    #[serde(flatten)]
    kind: &'a K,
}

impl Timeline {
    /// Creates the timeline of a new call with its first event, which stays hidden until [`show`](Self::show) is called.
    ///
    /// # Errors
    /// Returns an error if the event is too long.
    pub(crate) fn new(
        tool: &str,
        title: Option<&str>,
        arguments: &RawValue,
        most: usize,
        logs: Arc<LogBudget>,
    ) -> Result<Self, TooLong> {
        let timeline = Self::of(TimelineState::new(most, logs));
        timeline.append_raw("started", &RawEventKind::Started { tool, title, arguments }, arguments)?;
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
        #[derive(Default, Deserialize)]
        struct StoredEvent<'a> {
            #[serde(borrow, rename = "type")]
            name: Cow<'a, str>,
        }
        // Events that were stored under a higher limit stay.
        let stored = events.iter().map(|(_, event)| event.get().len()).sum();
        let mut state = TimelineState::new(most.max(stored), logs);
        for (id, event) in events {
            let StoredEvent { name } = serde_json::from_str(event.get()).unwrap_or_default();
            let entry = TimelineEntry { id, name: name.into_owned().into(), text: Arc::new(event.get().to_owned()) };
            let _ = state.insert(entry);
        }
        (state.next, state.is_over) = (reserved, is_over);
        Self::of(state)
    }

    fn of(state: TimelineState) -> Self {
        Self { state: Mutex::new(state), changed: Arc::default() }
    }

    /// Appends an event and shows it to followers. An event that is too long is left out.
    pub(crate) fn push(&self, kind: &TimelineEventKind) {
        if self.append(kind.name(), kind, 0, false).is_ok() {
            self.changed.notify_waiters();
        }
    }

    /// Appends an event that stays hidden until [`show`](Self::show) is called.
    ///
    /// # Errors
    /// Returns an error if the event is too long. The timeline is then unchanged.
    pub(crate) fn push_hidden(&self, kind: &TimelineEventKind) -> Result<(), TooLong> {
        self.append(kind.name(), kind, 0, true)
    }

    /// Appends the event `finished`. Otherwise like [`push_hidden`](Self::push_hidden).
    pub(crate) fn push_result(&self, result: &RawValue) -> Result<(), TooLong> {
        self.append_raw("finished", &RawEventKind::Finished { result }, result)
    }

    /// Makes all events visible. If `is_over` is set, the last event is the end of the call.
    pub(crate) fn show(&self, is_over: bool) {
        let mut state = self.state.lock();
        state.hidden_from = None;
        state.is_over |= is_over;
        drop(state);
        self.changed.notify_waiters();
    }

    /// Returns the last event of the call, or `None` if the call has not ended.
    pub(crate) fn end(&self) -> Option<TimelineEntry> {
        let state = self.state.lock();
        // A log message can follow the end.
        state.entries.iter().rfind(|entry| entry.is_end()).filter(|_| state.is_over).cloned()
    }

    /// Waits for the last event of the call.
    pub(crate) async fn ended(&self) -> TimelineEntry {
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            if let Some(end) = self.end() {
                return end;
            }
            changed.await;
        }
    }

    /// Returns the first visible event with an id above `after`.
    pub(crate) fn first_after(&self, after: u64) -> Option<TimelineEntry> {
        self.state.lock().visible_after(after).next().cloned()
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
        self.state.lock().visible_after(0).next_back().map_or(0, |entry| entry.id)
    }

    /// Returns the first event.
    pub(crate) fn started(&self) -> StartedEvent {
        StartedEvent(self.state.lock().entries.front().map(|first| Arc::clone(&first.text)).unwrap_or_default())
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

    /// Returns the last question. Its event is the only copy of it: its values would need several times as much memory
    /// while the call waits.
    pub(crate) fn last_question(&self) -> Option<PluginQuestion> {
        #[derive(Deserialize)]
        struct Elicit {
            question: PluginQuestion,
        }
        let text = {
            let state = self.state.lock();
            state.entries.iter().rfind(|entry| entry.name == "elicit").map(|entry| Arc::clone(&entry.text))
        };
        let Elicit { question } = serde_json::from_str(&text?).ok()?;
        Some(question)
    }

    /// Returns all events, and the first id that may be used after a restart.
    pub(crate) fn all(&self) -> (Vec<TimelineEntry>, u64) {
        let state = self.state.lock();
        (state.entries.iter().cloned().collect(), state.next + RESERVED)
    }

    /// Appends a hidden event that contains this text, which can be long.
    fn append_raw(&self, name: &'static str, kind: &RawEventKind<'_>, contained: &RawValue) -> Result<(), TooLong> {
        self.append(name, kind, contained.get().len(), true)
    }

    /// Appends an event. `contained` is the length of a long text in it, for which memory is allocated once.
    fn append(&self, name: &'static str, kind: &impl Serialize, contained: usize, hidden: bool) -> Result<(), TooLong> {
        let mut text = Vec::with_capacity(contained + 256);
        let mut state = self.state.lock();
        let id = state.next;
        // Fails only for a value that cannot be written as JSON. An author's values were JSON before.
        let _ = serde_json::to_writer(&mut text, &WrittenEvent { id, at: clock::now(), kind });
        let mut text = String::from_utf8(text).unwrap_or_default();
        text.shrink_to_fit();
        state.insert(TimelineEntry { id, name: name.into(), text: Arc::new(text) })?;
        state.next += 1;
        if hidden {
            state.hidden_from.get_or_insert(id);
        }
        Ok(())
    }
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

    fn without_arguments(&self) -> Arc<String> {
        let head = self.0.split_once(Self::MARKER).map_or("{", |(head, _)| head);
        Arc::new(format!("{head}{}{{}}}}", Self::MARKER))
    }
}
