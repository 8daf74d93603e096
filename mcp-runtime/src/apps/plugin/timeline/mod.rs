//! The timeline of one call: its events in order. Handles and streams follow the timeline.

mod entry;
pub(crate) mod event;
pub(crate) mod question;
pub(crate) mod result;
mod timeline_state;

use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};
use tokio::sync::Notify;

pub(crate) use self::{
    entry::TimelineEntry,
    timeline_state::{LogBudget, TooLong},
};
use self::{
    entry::{EventContent, event_text},
    event::{AnswerAction, TimelineEventKind},
    question::{QuestionParts, QuestionText, ShownQuestion},
    result::{push_finished, short_length},
    timeline_state::{EventVisibility, TimelineState},
};
use crate::{
    base::{clock, mutex::Mutex},
    engine::call::body::CompletedCall,
    serve::client::ClientResult,
    wire::protocol::{
        json::json_of,
        level::Level,
        text::{push_json, push_json_string},
    },
};

/// After a restart, event numbers continue after a gap of this size, because clients may have seen events that were not
/// stored.
const RESERVED: u64 = 1 << 20;

/// The timeline of a call. The first event is `started`.
///
/// Most events are written as JSON once, when they happen. Pages and the store get this text, and the limits count its
/// bytes.
pub(crate) struct Timeline {
    state: Mutex<TimelineState>,
    /// See [`StartedEvent::arguments_at`].
    arguments_at: usize,
    /// Created for the first one who waits, because most calls end before anyone does.
    changed: OnceLock<Arc<Notify>>,
}

/// The text of the event `started`, the only copy of the call's arguments.
#[derive(Clone)]
pub(crate) struct StartedEvent {
    text: Arc<str>,
    /// Where the arguments begin. They are the last member of the event.
    arguments_at: usize,
}

impl Timeline {
    /// Creates the timeline of a new call with its first event, which stays hidden until [`show`](Self::show) is called.
    ///
    /// # Errors
    /// Returns an error if the event is too long.
    pub(crate) fn new(
        tool: &str,
        title: Option<&str>,
        arguments: &impl Serialize,
        most: usize,
        logs: Arc<LogBudget>,
    ) -> Result<Self, TooLong> {
        let mut timeline = Self::of(TimelineState::new(most, logs), 0);
        let mut arguments_at = 0;
        timeline.append("started", EventVisibility::Hidden, 0, |out| {
            out.extend_from_slice(br#"{"type":"started","tool":"#);
            push_json_string(out, tool);
            if let Some(title) = title {
                out.extend_from_slice(br#","title":"#);
                push_json_string(out, title);
            }
            out.extend_from_slice(StartedEvent::MARKER.as_bytes());
            arguments_at = out.len();
            // Written as the caller gives them, so that their numbers keep their digits.
            push_json(out, arguments);
            out.push(b'}');
        })?;
        timeline.arguments_at = arguments_at;
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
        let started = events.first().map_or("", |(_, event)| event.get());
        let arguments_at = started.find(StartedEvent::MARKER).map_or(0, |at| at + StartedEvent::MARKER.len());
        for (id, event) in events {
            let StoredEvent { name } = serde_json::from_str(event.get()).unwrap_or_default();
            let content = EventContent::Text(event.get().into());
            let entry = TimelineEntry { id, name: name.into_owned().into(), content };
            let _ = state.insert(entry);
        }
        (state.next, state.is_over) = (reserved, is_over);
        Self::of(state, arguments_at)
    }

    fn of(state: TimelineState, arguments_at: usize) -> Self {
        Self { state: Mutex::new(state), arguments_at, changed: OnceLock::new() }
    }

    /// Appends an event and shows it to followers. An event that is too long is left out.
    pub(crate) fn push(&self, kind: &TimelineEventKind) {
        self.show_new(&self.append(kind.name(), EventVisibility::Shown, 0, |out| push_json(out, kind)));
    }

    /// Appends a log message and shows it to followers. `data` is JSON text.
    pub(crate) fn push_log(&self, level: Level, data: &[u8]) {
        self.show_new(&self.append("log", EventVisibility::Shown, data.len(), |out| {
            out.extend_from_slice(br#"{"type":"log","level":""#);
            out.extend_from_slice(level.as_str().as_bytes());
            out.extend_from_slice(br#"","data":"#);
            out.extend_from_slice(data);
            out.push(b'}');
        }));
    }

    /// Appends a question. Otherwise like [`push_hidden`](Self::push_hidden).
    pub(crate) fn push_question(&self, question: &QuestionText<'_>) -> Result<ShownQuestion, TooLong> {
        let texts = [Some(&*question.message), question.schema, question.handoff];
        let length = texts.into_iter().flatten().map(str::len).sum();
        let mut parts = QuestionParts::default();
        let event = self.append("elicit", EventVisibility::Hidden, length, |out| {
            out.extend_from_slice(br#"{"type":"elicit","question":"#);
            parts = question.push(out);
            out.push(b'}');
        })?;
        Ok(ShownQuestion::new(question, event, parts))
    }

    /// Appends the answer to a question. Otherwise like [`push_hidden`](Self::push_hidden).
    pub(crate) fn push_answer(
        &self,
        seq: u32,
        key: &str,
        action: AnswerAction,
        content: Option<&Map<String, Value>>,
    ) -> Result<(), TooLong> {
        self.append("answered", EventVisibility::Hidden, 0, |out| {
            out.extend_from_slice(br#"{"type":"answered","seq":"#);
            push_json(out, &seq);
            out.extend_from_slice(br#","key":"#);
            push_json_string(out, key);
            out.extend_from_slice(br#","action":"#);
            push_json(out, &action);
            if let Some(content) = content {
                out.extend_from_slice(br#","content":"#);
                push_json(out, content);
            }
            out.push(b'}');
        })
        .map(drop)
    }

    /// Appends an event that stays hidden until [`show`](Self::show) is called.
    ///
    /// # Errors
    /// Returns an error if the event is too long. The timeline is then unchanged.
    pub(crate) fn push_hidden(&self, kind: &TimelineEventKind) -> Result<(), TooLong> {
        self.append(kind.name(), EventVisibility::Hidden, 0, |out| push_json(out, kind)).map(drop)
    }

    /// Appends the event `finished` with this result. Otherwise like [`push_hidden`](Self::push_hidden).
    pub(crate) fn push_result(&self, result: ClientResult) -> Result<(), TooLong> {
        match result {
            ClientResult::Value(CompletedCall { result, .. }) if short_length(&result).is_some() => {
                let content = EventContent::Result(Arc::new(result), clock::now());
                self.state.lock().append("finished", content, EventVisibility::Hidden)
            }
            long => {
                let push = |out: &mut Vec<u8>| push_finished(out, |out| long.push_plain(out));
                self.append("finished", EventVisibility::Hidden, long.estimated_length(), push).map(drop)
            }
        }
    }

    /// Makes all events visible. If `is_over` is set, the last event is the end of the call.
    pub(crate) fn show(&self, is_over: bool) {
        let mut state = self.state.lock();
        state.hidden_from = None;
        state.is_over |= is_over;
        drop(state);
        self.notify();
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
            if let Some(end) = self.end() {
                return end;
            }
            // Begins to wait before it looks again, so that it does not miss the end.
            let changed = self.changed().notified();
            if self.end().is_none() {
                changed.await;
            }
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
        self.changed.get_or_init(Arc::default)
    }

    /// Wakes those who wait for a change. Called after the change, so that one who begins to wait later sees it.
    fn notify(&self) {
        if let Some(changed) = self.changed.get() {
            changed.notify_waiters();
        }
    }

    /// Returns the id of the last visible event.
    pub(crate) fn last(&self) -> u64 {
        self.state.lock().visible_after(0).next_back().map_or(0, |entry| entry.id)
    }

    /// Returns the first event.
    pub(crate) fn started(&self) -> StartedEvent {
        let text = match self.state.lock().entries.front().map(|first| &first.content) {
            Some(EventContent::Text(text)) => Arc::clone(text),
            _ => Arc::default(),
        };
        StartedEvent { text, arguments_at: self.arguments_at }
    }

    /// Replaces the arguments in the first event by an empty object.
    pub(crate) fn forget_arguments(&self) {
        let StartedEvent { text, arguments_at } = self.started();
        let head = text.get(..arguments_at).unwrap_or_default();
        self.state.lock().replace_first(format!("{head}{{}}}}").into());
    }

    /// Returns the bytes of all events, and the bytes of the events that are not log messages.
    pub(crate) fn bytes(&self) -> (usize, usize) {
        let state = self.state.lock();
        (state.bytes + state.log_bytes, state.bytes)
    }

    /// Reads the last question.
    pub(crate) fn last_question(&self) -> Option<ShownQuestion> {
        let state = self.state.lock();
        match &state.entries.iter().rfind(|entry| entry.name == "elicit")?.content {
            EventContent::Text(event) => ShownQuestion::read(Arc::clone(event)),
            EventContent::Result(..) => None,
        }
    }

    /// Returns all events, and the first id that may be used after a restart.
    pub(crate) fn all(&self) -> (Vec<TimelineEntry>, u64) {
        let state = self.state.lock();
        (state.entries.iter().cloned().collect(), state.next + RESERVED)
    }

    /// Tells followers about an event that was appended.
    fn show_new(&self, appended: &Result<Arc<str>, TooLong>) {
        if appended.is_ok() {
            self.notify();
        }
    }

    /// Appends an event, and returns its text. `write` writes its kind, a JSON object of about `length` bytes.
    fn append(
        &self,
        name: &'static str,
        visibility: EventVisibility,
        length: usize,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<Arc<str>, TooLong> {
        let mut state = self.state.lock();
        let text: Arc<str> = event_text(state.next, clock::now(), length, write).into();
        state.append(name, EventContent::Text(Arc::clone(&text)), visibility)?;
        Ok(text)
    }
}

impl StartedEvent {
    /// Returns the arguments, a JSON object.
    pub(crate) fn arguments(&self) -> &RawValue {
        json_of(self.text())
    }

    /// Returns the arguments as text.
    pub(crate) fn text(&self) -> &str {
        let text = self.text.get(self.arguments_at..).filter(|_| self.arguments_at > 0);
        text.and_then(|text| text.strip_suffix('}')).unwrap_or("null")
    }

    /// What is before the arguments. A JSON string cannot contain it, because its quotes would be escaped.
    const MARKER: &str = r#","arguments":"#;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{event::TimelineEvent, *};

    #[test]
    fn json_of_several_lines_is_one_line_of_the_timeline() {
        let arguments = RawValue::from_string("{\n\"a\": \"b\\n\"\r\n}".to_owned()).unwrap();
        let timeline = Timeline::new("t", None, &arguments, 1000, LogBudget::new(1000)).unwrap();
        let result = RawValue::from_string("{\n\"isError\":true}".to_owned()).unwrap();
        timeline.push_result(ClientResult::Text(result)).unwrap();
        timeline.show(true);
        let (events, _) = timeline.all();
        let kinds = events.iter().map(|event| {
            let text = event.text();
            assert!(!text.contains(['\n', '\r']), "{text}");
            serde_json::from_str::<TimelineEvent>(&text).unwrap().kind
        });
        let [started, finished]: [_; 2] = kinds.collect::<Vec<_>>().try_into().unwrap();
        let TimelineEventKind::Started { arguments, .. } = started else { panic!("{started:?}") };
        assert_eq!(arguments, json!({ "a": "b\n" }));
        assert_eq!(finished, TimelineEventKind::Finished { result: json!({ "isError": true }) });
    }
}
