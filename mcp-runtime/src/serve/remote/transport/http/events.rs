//! Parses a stream of server-sent events.

use std::time::Duration;

/// The parser of one stream of server-sent events.
pub(crate) struct EventReader {
    /// The beginning of an incomplete line.
    line: Vec<u8>,
    /// How many bytes of the current event were kept, and the largest number.
    kept: usize,
    most: usize,
    data: Option<String>,
    /// The id of the event whose end was not read yet.
    id: Option<String>,
    /// Whether a part of an event was not kept.
    pub(crate) is_cut: bool,
    /// The id of the last whole event. A client that resumes the stream sends this id.
    pub(crate) last_id: Option<String>,
    /// How long the client waits before it resumes the stream.
    pub(crate) retry: Option<Duration>,
}

impl EventReader {
    /// Creates a parser that keeps about this many bytes of an event. The data of a longer event is cut.
    pub(crate) fn with_limit(most: usize) -> Self {
        Self { line: Vec::new(), kept: 0, most, data: None, id: None, is_cut: false, last_id: None, retry: None }
    }

    /// Begins another stream, which resumes this one after the last event. An event that was cut is not read again.
    pub(crate) fn resume(&mut self) {
        let cut = self.id.take().filter(|_| self.is_cut);
        let last_id = cut.or_else(|| self.last_id.take());
        *self = Self { last_id, retry: self.retry, ..Self::with_limit(self.most) };
    }

    /// Parses the next bytes of the stream. Returns the data of the events that end in these bytes. Leaves out events
    /// whose data is empty.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut read = Vec::new();
        for &byte in bytes {
            if byte != b'\n' {
                // A line of which nothing is kept would be the end of the event.
                if self.kept < self.most || self.line.len() < 2 {
                    self.line.push(byte);
                    self.kept += 1;
                } else {
                    self.is_cut = true;
                }
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = String::from_utf8_lossy(&line);
            let line = line.strip_suffix('\r').unwrap_or(&line);
            if line.is_empty() {
                self.kept = 0;
                self.last_id = self.id.take().or_else(|| self.last_id.take());
                read.extend(self.data.take().filter(|data| !data.is_empty()));
            } else {
                self.field(line);
            }
        }
        read
    }

    fn field(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match (name, &mut self.data) {
            ("data", Some(data)) => {
                data.push('\n');
                data.push_str(value);
            }
            ("data", None) => self.data = Some(value.to_owned()),
            ("id", _) => self.id = Some(value.to_owned()),
            ("retry", _) => self.retry = value.parse().ok().map(Duration::from_millis),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_above_the_limit_is_cut_and_the_next_one_is_whole() {
        let text = format!("data: {}\ndata: b\r\n\r\ndata: {}\n\n", "a".repeat(50), "c".repeat(10));
        for size in [1, 7, text.len()] {
            let mut events = EventReader::with_limit(20);
            let read: Vec<_> = text.as_bytes().chunks(size).flat_map(|bytes| events.read(bytes)).collect();
            assert_eq!(read, ["a".repeat(14), "c".repeat(10)]);
        }
    }

    #[test]
    fn parses_events_from_any_chunks() {
        let text = ":\n\nid: 1\ndata:\n\nevent: message\r\nid: 2\r\ndata: {\"a\":\r\ndata:1}\r\n\r\nretry: 250\ndata: é\n\ndata: half";
        for size in 1..text.len() {
            let mut events = EventReader::with_limit(1000);
            let read: Vec<_> = text.as_bytes().chunks(size).flat_map(|bytes| events.read(bytes)).collect();
            assert_eq!(read, ["{\"a\":\n1}", "é"]);
            assert_eq!(events.last_id.as_deref(), Some("2"));
            assert_eq!(events.retry, Some(Duration::from_millis(250)));
        }
    }

    #[test]
    fn a_stream_is_resumed_after_its_last_whole_event() {
        let mut events = EventReader::with_limit(1000);
        assert_eq!(events.read(b"id: 1\ndata: a\n\nid: 2\ndata: b"), ["a"]);
        events.resume();
        assert_eq!(events.last_id.as_deref(), Some("1"));
        assert_eq!(events.read(b"id: 2\ndata: b\n\n"), ["b"]);
        assert_eq!(events.last_id.as_deref(), Some("2"));
    }

    #[test]
    fn an_event_above_the_limit_is_not_read_again() {
        let mut events = EventReader::with_limit(20);
        events.read(format!("id: 1\ndata: {}", "a".repeat(50)).as_bytes());
        assert!(events.is_cut);
        events.resume();
        assert!(!events.is_cut);
        assert_eq!(events.last_id.as_deref(), Some("1"));
    }
}
