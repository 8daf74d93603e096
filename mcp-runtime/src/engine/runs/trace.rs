//! What has happened in a run. A trace is limited in entries and in bytes, and drops its oldest entries.

use std::{collections::VecDeque, sync::Arc};

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    RunStatus,
    details::{RunProgress, json_text},
};
use crate::{base::clock, wire::protocol::level::Level};

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
#[derive(Debug, Serialize)]
pub(super) struct TraceEntry {
    /// The time, in the format of RFC 3339.
    at: String,
    #[serde(flatten)]
    pub(super) event: TraceEvent,
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
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
        self.entries.push_back(Arc::new(TraceEntry { at: moment(clock::now()), event }));
        while self.entries.len() > MOST_ENTRIES || self.bytes > MOST_BYTES {
            let Some(oldest) = self.entries.pop_front() else { return };
            self.bytes -= oldest.event.bytes();
            self.dropped += 1;
        }
    }

    /// Returns the entries from the entry `number` on, and the number that the next entry will get.
    pub(super) fn since(&self, number: u64) -> (Vec<Arc<TraceEntry>>, u64) {
        let skipped = usize::try_from(number.saturating_sub(self.dropped)).unwrap_or(usize::MAX);
        (self.entries.iter().skip(skipped).cloned().collect(), self.dropped + self.entries.len() as u64)
    }

    /// Returns the entries as JSON text, the oldest first, and how many older entries were dropped.
    pub(super) fn to_json(&self) -> (Vec<Box<RawValue>>, u64) {
        (self.entries.iter().filter_map(json_text).collect(), self.dropped)
    }
}

impl TraceEvent {
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

    fn bytes(trace: &Trace) -> usize {
        trace.to_json().0.iter().map(|entry| entry.get().len()).sum()
    }

    #[test]
    fn a_trace_drops_its_oldest_entries_and_counts_them() {
        let mut trace = Trace::default();
        for _ in 0..MOST_ENTRIES + 5 {
            trace.push(TraceEvent::Started);
        }
        let (entries, dropped) = trace.to_json();
        assert_eq!((entries.len(), dropped), (MOST_ENTRIES, 5));
        assert_eq!(trace.since(0).1, 205);
    }

    #[test]
    fn a_trace_has_at_most_128_kib() {
        let mut trace = Trace::default();
        for _ in 0..250 {
            trace.push(log(100_000));
            assert!(bytes(&trace) <= MOST_BYTES, "{}", bytes(&trace));
        }
        let (entries, dropped) = trace.to_json();
        assert_eq!((entries.len(), dropped), (1, 249));
    }

    #[test]
    fn a_message_that_is_longer_than_a_trace_is_replaced_by_a_note() {
        let mut trace = Trace::default();
        trace.push(TraceEvent::Started);
        trace.push(log(MOST_BYTES));
        let (entries, dropped) = trace.to_json();
        assert_eq!((entries.len(), dropped), (2, 0));
        assert!(entries[1].get().contains("left out: 131202 bytes are more than the 131072 bytes of a trace"));
    }
}
