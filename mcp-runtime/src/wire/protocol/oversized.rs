//! Finds the id of a message that is longer than the limit, so that the sender learns which of its requests failed.

use memchr::memchr2;

use super::id::{Id, RequestId};

/// The maximum length of an id or a name that is kept, in bytes.
const LONGEST: usize = 1024;

/// A message that was discarded because it is too long.
#[derive(Debug, PartialEq)]
pub(crate) enum OversizedMessage {
    Request(RequestId),
    /// A response to a request of the server.
    Response(RequestId),
    /// A notification, or a message whose id cannot be found.
    Other,
}

/// Reads a message in pieces of any size. Keeps only the kind and the id of the message, so the message can have any
/// length. Does not check that the message is JSON.
#[derive(Debug, Default)]
pub(crate) struct EnvelopeScanner {
    /// The number of open containers.
    depth: u32,
    is_object: bool,
    in_string: bool,
    is_escaped: bool,
    /// Whether the message's next string is the name of a member.
    awaits_name: bool,
    /// Whether the value that is being read is that of `id`.
    in_id: bool,
    /// The name that is being read, or the value of `id`.
    text: Vec<u8>,
    id: Option<RequestId>,
    /// How many members are named `id`.
    ids: u32,
    has_method: bool,
    has_outcome: bool,
}

impl OversizedMessage {
    /// Finds the id in a whole message.
    pub(crate) fn read(message: &[u8]) -> Self {
        let mut scanner = EnvelopeScanner::default();
        scanner.push(message);
        scanner.finish()
    }
}

impl EnvelopeScanner {
    /// Reads the next piece of the message.
    pub(crate) fn push(&mut self, mut piece: &[u8]) {
        while let Some((&byte, rest)) = piece.split_first() {
            // Most of a long message is in strings.
            if self.in_string && !self.is_escaped && !self.keeps() {
                let Some(at) = memchr2(b'"', b'\\', piece) else { return };
                self.in_string = piece[at] == b'\\';
                self.is_escaped = self.in_string;
                piece = &piece[at + 1..];
                continue;
            }
            self.step(byte);
            piece = rest;
        }
    }

    /// Returns what was found in the whole message.
    pub(crate) fn finish(self) -> OversizedMessage {
        match self.id.filter(|_| self.is_object && self.ids == 1) {
            Some(id) if self.has_method => OversizedMessage::Request(id),
            Some(id) if self.has_outcome => OversizedMessage::Response(id),
            _ => OversizedMessage::Other,
        }
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b'{' | b'[' => {
                self.is_object |= self.depth == 0 && byte == b'{';
                self.awaits_name |= self.depth == 0;
                self.depth = self.depth.saturating_add(1);
            }
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_of_member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => self.begin_value(),
            b',' if self.depth == 1 => self.end_of_member(),
            _ => {
                self.in_string = byte == b'"';
                self.keep(byte);
            }
        }
    }

    fn begin_value(&mut self) {
        self.awaits_name = false;
        match &*std::mem::take(&mut self.text) {
            br#""id""# => self.in_id = true,
            br#""method""# => self.has_method = true,
            br#""result""# | br#""error""# => self.has_outcome = true,
            _ => {}
        }
    }

    fn end_of_member(&mut self) {
        let text = std::mem::take(&mut self.text);
        if std::mem::take(&mut self.in_id) {
            self.ids += 1;
            self.id = str::from_utf8(&text).ok().filter(|text| is_value(text)).and_then(read_id);
        }
        self.awaits_name = true;
    }

    /// Whether the text at this place is kept.
    fn keeps(&self) -> bool {
        self.depth == 1 && (self.awaits_name || self.in_id)
    }

    fn keep(&mut self, byte: u8) {
        // A longer text is not one of the names, and not a valid value, because its closing quote is missing.
        if self.keeps() && self.text.len() < LONGEST {
            self.text.push(byte);
        }
    }
}

fn is_value(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok()
}

fn read_id(text: &str) -> Option<RequestId> {
    Id::read(text).map(Id::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> RequestId {
        read_id(text).unwrap()
    }

    /// Reads a message in pieces of every length, and checks that the result is always the same.
    fn read(message: &str) -> OversizedMessage {
        let whole = OversizedMessage::read(message.as_bytes());
        for length in 1..=message.len().min(7) {
            let mut scanner = EnvelopeScanner::default();
            message.as_bytes().chunks(length).for_each(|piece| scanner.push(piece));
            assert_eq!(scanner.finish(), whole, "{length}: {message}");
        }
        whole
    }

    #[test]
    fn finds_the_id_at_any_place_of_a_request() {
        let params = r#""params":{"id":9,"a":"\"id\":8,\\","b":["}",{"id":7}],"method":"x"}"#;
        for (text, found) in [("1", id("1")), ("2.0", id("2")), (r#""a\"b\u0041""#, id(r#""a\"bA""#))] {
            for message in [
                format!(r#"{{"jsonrpc":"2.0","id":{text},"method":"tools/call",{params}}}"#),
                format!(r#" {{ "method" : "tools/call" , {params} , "id" : {text} }} "#),
                format!(r#"{{{params},"id":{text},"method":"x"}}"#),
            ] {
                assert_eq!(read(&message), OversizedMessage::Request(found.clone()), "{message}");
            }
        }
    }

    #[test]
    fn tells_requests_from_responses_and_notifications() {
        assert_eq!(read(r#"{"result":{"id":1},"id":"s-1"}"#), OversizedMessage::Response(id(r#""s-1""#)));
        assert_eq!(read(r#"{"id":"s-1","error":{}}"#), OversizedMessage::Response(id(r#""s-1""#)));
        for message in [
            r#"{"method":"x","params":{"id":1}}"#,
            r#"[{"id":1,"method":"x"}]"#,
            r#"{"id":1,"id":2,"method":"x"}"#,
            r#"{"id":{"id":1},"method":"x"}"#,
            r#"{"id":null,"method":"x"}"#,
            r#"{"id":1.5,"method":"x"}"#,
            r#"{"id":01,"method":"x"}"#,
            r#"{"id":1"#,
            r#""id":1,"method":"x""#,
            "id",
            "",
        ] {
            assert_eq!(read(message), OversizedMessage::Other, "{message}");
        }
        let long = "x".repeat(2 * LONGEST);
        assert_eq!(read(&format!(r#"{{"id":"{long}","method":"x"}}"#)), OversizedMessage::Other);
        assert_eq!(read(&format!(r#"{{"{long}":1,"id":1,"method":"x"}}"#)), OversizedMessage::Request(id("1")));
    }

    #[test]
    fn keeps_little_of_a_long_message() {
        let mut scanner = EnvelopeScanner::default();
        scanner.push(br#"{"id":1,"method":"x","params":{"text":""#);
        (0..1000).for_each(|_| scanner.push(&[b'x'; 10_000]));
        assert!(scanner.text.capacity() <= LONGEST);
        scanner.push(br#""}}"#);
        assert_eq!(scanner.finish(), OversizedMessage::Request(id("1")));
    }
}
