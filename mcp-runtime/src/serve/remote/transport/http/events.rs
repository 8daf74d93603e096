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
    /// The id of the last event. A client that resumes the stream sends this id.
    pub(crate) last_id: Option<String>,
    /// How long the client waits before it resumes the stream.
    pub(crate) retry: Option<Duration>,
}

impl Default for EventReader {
    fn default() -> Self {
        Self { line: Vec::new(), kept: 0, most: usize::MAX, data: None, last_id: None, retry: None }
    }
}

impl EventReader {
    /// Creates a parser that keeps about this many bytes of an event. The data of a longer event is cut.
    #[cfg(feature = "dev")]
    pub(crate) fn with_limit(most: usize) -> Self {
        Self { most, ..Self::default() }
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
                }
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = String::from_utf8_lossy(&line);
            let line = line.strip_suffix('\r').unwrap_or(&line);
            if line.is_empty() {
                self.kept = 0;
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
            ("id", _) => self.last_id = Some(value.to_owned()),
            ("retry", _) => self.retry = value.parse().ok().map(Duration::from_millis),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "dev")]
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
            let mut events = EventReader::default();
            let read: Vec<_> = text.as_bytes().chunks(size).flat_map(|bytes| events.read(bytes)).collect();
            assert_eq!(read, ["{\"a\":\n1}", "é"]);
            assert_eq!(events.last_id.as_deref(), Some("2"));
            assert_eq!(events.retry, Some(Duration::from_millis(250)));
        }
    }
}
