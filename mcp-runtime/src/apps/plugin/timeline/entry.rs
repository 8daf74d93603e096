//! One event of a timeline, and its JSON text.

use std::{borrow::Cow, sync::Arc};

use serde::Deserialize;

use super::result::{PluginResult, push_finished, short_length};
use crate::{
    base::clock::Millis,
    wire::protocol::{
        result::{CallToolResult, push_plain_result},
        text::push_json,
    },
};

/// An event of a call. Pages and the store get it as JSON text.
#[derive(Clone)]
pub(crate) struct TimelineEntry {
    pub(crate) id: u64,
    /// The type of the event.
    pub(crate) name: Cow<'static, str>,
    pub(crate) content: EventContent,
}

/// The content of an event. Most values would need several times as much memory as their text.
#[derive(Clone)]
pub(crate) enum EventContent {
    /// The whole event as JSON, on one line.
    Text(Arc<str>),
    /// The result of the call, which came at this time. A short result is kept as a value, because most applications read
    /// only its text. Its JSON is written when a page or the store needs it.
    Result(Arc<CallToolResult>, Millis),
}

/// Decides whether an event may be dropped when a timeline grows long.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EventWeight {
    Log,
    /// Only the last event of this kind is kept.
    Progress,
    /// A question. The last one is never dropped, because it may be open.
    Elicit,
    /// An answer of the user or of a model.
    Answer,
    /// The start of the call, or its result. Never dropped.
    Kept,
    /// The reason why there is no result. Never too long.
    End,
}

impl TimelineEntry {
    pub(super) fn weight(&self) -> EventWeight {
        match &*self.name {
            "log" => EventWeight::Log,
            "progress" => EventWeight::Progress,
            "elicit" => EventWeight::Elicit,
            "answered" | "sample" => EventWeight::Answer,
            "failed" | "cancelled" => EventWeight::End,
            _ => EventWeight::Kept,
        }
    }

    /// Returns whether this is the last event of its call.
    pub(crate) fn is_end(&self) -> bool {
        self.name == "finished" || self.weight() == EventWeight::End
    }

    /// Returns the whole event as JSON, on one line.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match &self.content {
            EventContent::Text(text) => Cow::Borrowed(text),
            EventContent::Result(result, at) => {
                let push = |out: &mut Vec<u8>| push_finished(out, |out| push_plain_result(out, result));
                Cow::Owned(event_text(self.id, *at, 0, push))
            }
        }
    }

    /// Returns the bytes that the event counts.
    pub(super) fn length(&self) -> usize {
        match &self.content {
            EventContent::Text(text) => text.len(),
            EventContent::Result(result, _) => short_length(result).unwrap_or_default(),
        }
    }

    /// Returns the result of the call, if this event has it.
    pub(crate) fn result(&self) -> Option<PluginResult> {
        match &self.content {
            EventContent::Text(event) => PluginResult::of_event(event),
            EventContent::Result(result, _) => Some(PluginResult::of_value(Arc::clone(result))),
        }
    }

    /// Returns the message of an event that says why its call has no result.
    pub(crate) fn failure(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Failed {
            message: String,
        }
        serde_json::from_str(&self.text()).ok().map(|Failed { message }| message)
    }
}

/// Returns the text of the event with this id that happened at this time. `push_kind` writes its kind, a JSON object of
/// about `length` bytes.
pub(super) fn event_text(id: u64, at: Millis, length: usize, push_kind: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut text = Vec::with_capacity(length + 256);
    text.extend_from_slice(br#"{"id":"#);
    push_json(&mut text, &id);
    text.extend_from_slice(br#","at":"#);
    push_json(&mut text, &at);
    let kind = text.len();
    push_kind(&mut text);
    // The members of the kind follow those of every event.
    text[kind] = b',';
    // An event is one line of a stream. A JSON string contains no line end, so only white space is replaced.
    if memchr::memchr2(b'\n', b'\r', &text).is_some() {
        text.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    }
    // The bytes come from strings only.
    String::from_utf8(text).unwrap_or_default()
}
