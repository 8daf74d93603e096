//! What was said, in order.

use std::fmt;

use serde_json::Value;

/// Every message of a call or a connection, in order. Shown, it has a message on a line: `→` before those of the
/// client, `←` before those of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript(Vec<Message>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Message {
    from: Side,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

/// As much of a message shows what it is about.
const BRIEF: usize = 400;

impl Transcript {
    /// The messages of the client.
    pub fn sent(&self) -> Vec<Value> {
        self.of(Side::Client)
    }

    /// The messages of the server.
    pub fn received(&self) -> Vec<Value> {
        self.of(Side::Server)
    }

    pub(super) fn push_sent(&mut self, text: &str) {
        self.0.push(Message { from: Side::Client, text: text.to_owned() });
    }

    pub(super) fn push_received(&mut self, text: &str) {
        self.0.push(Message { from: Side::Server, text: text.to_owned() });
    }

    /// The same with long messages shortened.
    pub(super) fn in_brief(&self) -> String {
        let line = |line: String| {
            let brief: String = line.chars().take(BRIEF).collect();
            if brief.len() < line.len() { brief + "…\n" } else { brief + "\n" }
        };
        self.to_string().lines().map(|text| line(text.to_owned())).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn since(&self, start: usize) -> Self {
        Self(self.0[start..].to_vec())
    }

    fn of(&self, side: Side) -> Vec<Value> {
        let of_side = self.0.iter().filter(|message| message.from == side);
        of_side.map(|message| serde_json::from_str(&message.text).unwrap_or_default()).collect()
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Message { from, text } in &self.0 {
            let arrow = if *from == Side::Client { '→' } else { '←' };
            writeln!(f, "{arrow} {text}")?;
        }
        Ok(())
    }
}
