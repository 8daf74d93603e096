//! The recorded messages of a call.

use std::fmt;

use serde_json::Value;

/// Every message of a call or a connection, in order. `Display` writes one message per line. `→` marks a message of the
/// client, `←` a message of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript(Vec<TranscriptLine>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct TranscriptLine {
    from: Side,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Client,
    Server,
}

/// How many characters of a message a brief transcript shows.
const BRIEF: usize = 400;

/// The number of characters of a `requestState` that are shown, which is enough to tell two states apart.
const STATE: usize = 8;

impl Transcript {
    /// Returns the messages of the client.
    pub fn sent(&self) -> Vec<Value> {
        self.of(Side::Client)
    }

    /// Returns the messages of the server.
    pub fn received(&self) -> Vec<Value> {
        self.of(Side::Server)
    }

    pub(crate) fn push(&mut self, from: Side, text: String) {
        self.0.push(TranscriptLine { from, text });
    }

    /// Returns the transcript in a short form. Leaves out the members `jsonrpc` and `_meta`, and shortens long
    /// messages.
    pub(crate) fn in_brief(&self) -> String {
        let line = |TranscriptLine { from, text }: &TranscriptLine| {
            let mut message: Value = serde_json::from_str(text).unwrap_or_default();
            if let Some(message) = message.as_object_mut() {
                message.shift_remove("jsonrpc");
            }
            for body in ["params", "result"] {
                let Some(Value::Object(body)) = message.get_mut(body) else { continue };
                body.shift_remove("_meta");
                if let Some(Value::String(state)) = body.get_mut("requestState") {
                    *state = shortened(state, STATE);
                }
            }
            format!("{} {}\n", from.arrow(), shortened(&message.to_string(), BRIEF))
        };
        self.0.iter().map(line).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn since(&self, start: usize) -> Self {
        Self(self.0[start..].to_vec())
    }

    fn of(&self, side: Side) -> Vec<Value> {
        let of_side = self.0.iter().filter(|message| message.from == side);
        of_side.map(|message| serde_json::from_str(&message.text).unwrap_or_default()).collect()
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for TranscriptLine { from, text } in &self.0 {
            writeln!(f, "{} {text}", from.arrow())?;
        }
        Ok(())
    }
}

impl Side {
    fn arrow(self) -> char {
        if self == Self::Client { '→' } else { '←' }
    }
}

fn shortened(text: &str, to: usize) -> String {
    let (end, mark) = text.char_indices().nth(to).map_or((text.len(), ""), |(end, _)| (end, "…"));
    format!("{}{mark}", &text[..end])
}
