//! Measurements, for whichever recorder the program has installed. All that labels them has few values: what a stranger
//! sends is `other`.

#[cfg(feature = "http")]
mod http;
mod names;

use std::{
    borrow::Cow,
    time::{Duration, Instant},
};

use metrics::{Label, SharedString, counter, gauge, histogram};

#[cfg(feature = "http")]
pub(crate) use self::http::responded;
pub use self::names::describe_metrics;
use self::names::{
    ACTIVE_CALLS, ACTIVE_SESSIONS, ASKS, CALL_DURATION, CALL_ROUNDS, LEDGER_DURATION, METHODS, PARKED_CALLS, REFUSED,
    REQUEST_DURATION, SESSION_DURATION,
};
use super::outcome::Outcome;
use crate::{
    call::{ask::AskError, lease::LedgerError, request::Peer},
    protocol::revision::Revision,
};

/// A request until it is answered.
pub(super) struct RequestMeter {
    start: Instant,
    method: &'static str,
    tool: Option<SharedString>,
    revision: Option<Revision>,
    transport: &'static str,
}

/// A round of a call that runs. Dropped before its end, it is not measured.
pub(super) struct CallMeter {
    start: Instant,
    tool: SharedString,
    round: u32,
    _active: Gauged,
}

/// A call that waits for its next round.
pub(super) struct ParkedMeter {
    _parked: Gauged,
}

/// A session while it is open.
pub(crate) struct SessionMeter {
    start: Instant,
    revision: Revision,
    _active: Gauged,
}

/// An operation of the ledger.
pub(super) struct OperationMeter {
    start: Instant,
    operation: &'static str,
}

/// One of those that a gauge counts.
struct Gauged(&'static str);

/// Something was refused for want of room: of this.
pub(crate) fn turned_away(room: &'static str) {
    counter!(REFUSED, "reason" => room).increment(1);
}

impl RequestMeter {
    pub(super) fn new(peer: &Peer, method: &str, revision: Option<Revision>) -> Self {
        let method = METHODS.into_iter().find(|known| *known == method).unwrap_or("other");
        Self { start: Instant::now(), method, tool: None, revision, transport: transport(peer) }
    }

    pub(super) fn revision(&mut self, revision: Revision) {
        self.revision = Some(revision);
    }

    /// One that the server has: no other comes so far.
    pub(super) fn tool(&mut self, name: &str) {
        self.tool = Some(name.to_owned().into());
    }

    pub(super) fn end(self, outcome: Outcome) {
        let mut labels = vec![
            Label::new("mcp.method.name", self.method),
            Label::new("mcp.protocol.version", self.revision.map_or("other", Revision::as_str)),
            Label::new("network.transport", self.transport),
            Label::new("outcome", outcome.as_str()),
        ];
        labels.extend(self.tool.map(|tool| Label::new("gen_ai.tool.name", tool)));
        labels.extend(error_type(outcome));
        histogram!(REQUEST_DURATION, labels).record(self.start.elapsed());
    }
}

impl CallMeter {
    pub(super) fn new(tool: &str, round: u32) -> Self {
        Self { start: Instant::now(), tool: tool.to_owned().into(), round, _active: Gauged::new(ACTIVE_CALLS) }
    }

    /// How long it took.
    pub(super) fn end(self, outcome: Outcome) -> Duration {
        let took = self.start.elapsed();
        let mut labels =
            vec![Label::new("gen_ai.tool.name", self.tool.clone()), Label::new("outcome", outcome.as_str())];
        if outcome.is_last() {
            histogram!(CALL_ROUNDS, labels.clone()).record(self.round + 1);
        }
        labels.extend(error_type(outcome));
        histogram!(CALL_DURATION, labels).record(took);
        took
    }
}

impl ParkedMeter {
    pub(super) fn new() -> Self {
        Self { _parked: Gauged::new(PARKED_CALLS) }
    }
}

impl SessionMeter {
    pub(crate) fn new(revision: Revision) -> Self {
        Self { start: Instant::now(), revision, _active: Gauged::new(ACTIVE_SESSIONS) }
    }
}

impl Drop for SessionMeter {
    fn drop(&mut self) {
        histogram!(SESSION_DURATION, "mcp.protocol.version" => self.revision.as_str()).record(self.start.elapsed());
    }
}

impl OperationMeter {
    pub(super) fn new(operation: &'static str) -> Self {
        Self { start: Instant::now(), operation }
    }

    pub(super) fn end(self, error: Option<&LedgerError>, conflict: bool) {
        let outcome = match error {
            None if conflict => "conflict",
            None => "done",
            Some(LedgerError::Full) => "full",
            Some(LedgerError::OutOfSpace(_)) => "out_of_space",
            Some(LedgerError::Replaced) => "replaced",
            Some(LedgerError::Failed(_)) => "failed",
        };
        let duration = histogram!(LEDGER_DURATION, "operation" => self.operation, "outcome" => outcome);
        duration.record(self.start.elapsed());
    }
}

/// A question to the client has come to this.
pub(crate) fn asked(method: &'static str, answer: Result<&str, &AskError>) {
    /// What there is of an answer to a person's question.
    #[derive(serde::Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        action: Option<Cow<'a, str>>,
    }
    let outcome = match answer {
        Ok(text) => match serde_json::from_str(text).ok().and_then(|Answer { action }| action).as_deref() {
            Some("accept") => "accepted",
            Some("decline") => "declined",
            Some("cancel") => "cancelled",
            _ => "answered",
        },
        Err(AskError::Timeout(_)) => "timed_out",
        Err(AskError::Unanswered) => "unanswered",
        Err(AskError::Refused { .. }) => "refused",
        Err(_) => "failed",
    };
    counter!(ASKS, "mcp.method.name" => method, "outcome" => outcome).increment(1);
}

impl Gauged {
    fn new(name: &'static str) -> Self {
        gauge!(name).increment(1);
        Self(name)
    }
}

impl Drop for Gauged {
    fn drop(&mut self) {
        gauge!(self.0).decrement(1);
    }
}

fn error_type(outcome: Outcome) -> Option<Label> {
    outcome.error_type().map(|error| Label::new("error.type", error))
}

#[cfg(feature = "http")]
fn transport(peer: &Peer) -> &'static str {
    if peer.http_parts.is_some() { "tcp" } else { "pipe" }
}

#[cfg(not(feature = "http"))]
fn transport(_: &Peer) -> &'static str {
    "pipe"
}
