//! What has happened in a run. A trace is limited in entries and in bytes, and drops its oldest entries.

use std::{collections::VecDeque, sync::Arc};

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::value::RawValue;

use super::{
    RunStatus,
    details::{RunProgress, json_text},
};
use crate::{
    base::clock::{self, Millis},
    wire::protocol::level::Level,
};

/// The most entries of a trace.
const MOST_ENTRIES: usize = 200;
/// The most bytes of a trace. A log message that is longer is left out.
const MOST_BYTES: usize = 128 * 1024;
/// The bytes that are counted for the time and the kind of an entry.
const ENTRY: usize = 128;

/// The trace of a run that this process executes.
#[derive(Default)]
pub(super) struct Trace {
    entries: VecDeque<Arc<TraceEntry>>,
    bytes: usize,
    /// How many entries were dropped. This is also the number of the first entry.
    dropped: u64,
}

/// Something that happened in a run.
#[derive(Debug)]
pub(super) struct TraceEntry {
    at: Millis,
    pub(super) event: TraceEvent,
}

#[derive(Debug)]
pub(super) enum TraceEvent {
    Started,
    Log { level: Level, data: Box<RawValue> },
    Progress(RunProgress),
    Asked { key: String },
    Answered { key: String },
    Ended { status: RunStatus },
}

impl Trace {
    pub(super) fn push(&mut self, mut event: TraceEvent) {
        event.limit();
        self.bytes += event.bytes();
        self.entries.push_back(Arc::new(TraceEntry { at: clock::now(), event }));
        while self.entries.len() > MOST_ENTRIES || self.bytes > MOST_BYTES {
            let Some(oldest) = self.entries.pop_front() else { return };
            self.bytes -= oldest.event.bytes();
            self.dropped += 1;
        }
    }

    /// Returns the entries from the entry `number` on, and the number that the next entry will get.
    pub(super) fn since(&self, number: u64) -> (Vec<Arc<TraceEntry>>, u64) {
        let skipped = usize::try_from(number.saturating_sub(self.dropped)).unwrap_or(usize::MAX);
        (self.entries.iter().skip(skipped).cloned().collect(), self.count())
    }

    /// Returns the entries as a JSON array, the oldest first.
    pub(super) fn to_json(&self) -> Option<Box<RawValue>> {
        json_text(&self.entries)
    }

    /// Returns how many entries were dropped.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns how many entries there were, the dropped ones included.
    pub(super) fn count(&self) -> u64 {
        self.dropped + self.entries.len() as u64
    }
}

impl Serialize for TraceEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("at", &moment(self.at))?;
        map.serialize_entry("event", self.event.name())?;
        match &self.event {
            TraceEvent::Started => {}
            TraceEvent::Log { level, data } => {
                map.serialize_entry("level", level)?;
                map.serialize_entry("data", data)?;
            }
            TraceEvent::Progress(RunProgress { progress, total, message }) => {
                map.serialize_entry("progress", progress)?;
                if let Some(total) = total {
                    map.serialize_entry("total", total)?;
                }
                if let Some(message) = message {
                    map.serialize_entry("message", message)?;
                }
            }
            TraceEvent::Asked { key } | TraceEvent::Answered { key } => map.serialize_entry("key", key)?,
            TraceEvent::Ended { status } => map.serialize_entry("status", status)?,
        }
        map.end()
    }
}

impl TraceEvent {
    fn name(&self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Log { .. } => "log",
            Self::Progress(_) => "progress",
            Self::Asked { .. } => "asked",
            Self::Answered { .. } => "answered",
            Self::Ended { .. } => "ended",
        }
    }

    fn bytes(&self) -> usize {
        ENTRY
            + match self {
                Self::Log { data, .. } => data.get().len(),
                Self::Progress(progress) => progress.message.as_ref().map_or(0, String::len),
                Self::Asked { key } | Self::Answered { key } => key.len(),
                Self::Started | Self::Ended { .. } => 0,
            }
    }

    /// Replaces a text that is too long for a trace.
    fn limit(&mut self) {
        let bytes = self.bytes();
        if bytes <= MOST_BYTES {
            return;
        }
        let note = format!("left out: {bytes} bytes are more than the {MOST_BYTES} bytes of a trace");
        match self {
            Self::Log { data, .. } => *data = json_text(&note).unwrap_or_default(),
            Self::Asked { key } | Self::Answered { key } => *key = note,
            // These events are short.
            Self::Started | Self::Progress(_) | Self::Ended { .. } => {}
        }
    }
}

/// Returns a time in the format of RFC 3339. `millis` is the time in milliseconds since 1970.
pub(crate) fn moment(millis: u64) -> String {
    // A time after the year 9999 cannot be written.
    clock::to_millis(millis).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(length: usize) -> TraceEvent {
        TraceEvent::Log { level: Level::Info, data: json_text(&"x".repeat(length)).unwrap() }
    }

    fn entries(trace: &Trace) -> Vec<Box<RawValue>> {
        serde_json::from_str(trace.to_json().unwrap().get()).unwrap()
    }

    fn bytes(trace: &Trace) -> usize {
        entries(trace).iter().map(|entry| entry.get().len()).sum()
    }

    #[test]
    fn a_trace_drops_its_oldest_entries_and_counts_them() {
        let mut trace = Trace::default();
        for _ in 0..MOST_ENTRIES + 5 {
            trace.push(TraceEvent::Started);
        }
        assert_eq!((entries(&trace).len(), trace.dropped()), (MOST_ENTRIES, 5));
        assert_eq!(trace.since(0).1, 205);
    }

    #[test]
    fn a_trace_has_at_most_128_kib() {
        let mut trace = Trace::default();
        for _ in 0..250 {
            trace.push(log(100_000));
            assert!(bytes(&trace) <= MOST_BYTES, "{}", bytes(&trace));
        }
        assert_eq!((entries(&trace).len(), trace.dropped()), (1, 249));
    }

    #[test]
    fn a_message_that_is_longer_than_a_trace_is_replaced_by_a_note() {
        let mut trace = Trace::default();
        trace.push(TraceEvent::Started);
        trace.push(log(MOST_BYTES));
        let entries = entries(&trace);
        assert_eq!((entries.len(), trace.dropped()), (2, 0));
        assert!(entries[1].get().contains("left out: 131202 bytes are more than the 131072 bytes of a trace"));
    }
}
