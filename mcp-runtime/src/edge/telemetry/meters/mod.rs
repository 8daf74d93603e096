//! Sends measurements to the recorder that the program installs. If a client sends an unknown value, the label is
//! `other`, so that every label has few values.

mod names;

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

use metrics::{Label, SharedString, counter, gauge, histogram};

pub use self::names::describe_metrics;
use self::names::{
    ACTIVE_CALLS, ACTIVE_SESSIONS, ASKS, CALL_DURATION, CALL_ROUNDS, HTTP_RESPONSES, LEDGER_DURATION, METHODS,
    PARKED_CALLS, REFUSED, REQUEST_DURATION, SESSION_DURATION,
};
use super::outcome::ObservedOutcome;
use crate::{
    engine::call::{
        Call, CallState, ask_error::AskError, lease::LedgerError, observer::LedgerOperation, request::Peer,
    },
    wire::protocol::{id::Id, params::Meta, revision::Revision},
};

pub(crate) const TIMES_LEDGER: bool = true;

/// Measures a request until it is answered.
pub(crate) struct RequestMeter {
    method: &'static str,
    tool: Option<SharedString>,
    revision: Option<Revision>,
    transport: &'static str,
}

/// Measures a running round of a call. If this value is dropped before the round has ended, the duration is not
/// recorded.
pub(crate) struct CallMeter {
    tool: SharedString,
    /// `None` in a nested call, which has no rounds of its own.
    round: Option<u32>,
    is_in_session: bool,
    /// `None` in a nested call, which takes no place beside its caller.
    _active: Option<Gauged>,
}

/// Counts a call while it waits for its next round.
pub(crate) type ParkedMeter = Gauged;

/// Measures a session while it is open.
pub(crate) struct SessionMeter {
    start: Instant,
    revision: Revision,
    _active: Gauged,
}

/// Adds one to the gauge with this name, until this value is dropped.
pub(crate) struct Gauged(&'static str);

pub(crate) fn request(peer: &Peer, _: &Id<'_>, method: &str, _: &Meta<'_>, revision: Option<Revision>) -> RequestMeter {
    let method = METHODS.into_iter().find(|known| *known == method).unwrap_or("other");
    let transport = if peer.http_parts.is_there() { "tcp" } else { "pipe" };
    RequestMeter { method, tool: None, revision, transport }
}

pub(crate) fn call(call: &Arc<CallState>, round: u32) -> CallMeter {
    CallMeter {
        tool: call.tool_name().to_owned().into(),
        round: Some(round),
        is_in_session: !call.revision.is_modern(),
        _active: Some(Gauged::new(ACTIVE_CALLS)),
    }
}

pub(crate) fn nested(call: &Call, _: u32) -> CallMeter {
    let tool = call.target().name().to_owned().into();
    CallMeter { tool, round: None, is_in_session: !call.0.revision.is_modern(), _active: None }
}

pub(crate) fn parked() -> ParkedMeter {
    Gauged::new(PARKED_CALLS)
}

pub(crate) fn session(revision: Revision) -> SessionMeter {
    SessionMeter { start: Instant::now(), revision, _active: Gauged::new(ACTIVE_SESSIONS) }
}

pub(crate) fn turned_away(resource: &'static str) {
    counter!(REFUSED, "reason" => resource).increment(1);
}

pub(crate) fn responded(method: &str, status: u16) {
    let methods = ["GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT"];
    let method = methods.into_iter().find(|known| method == *known).unwrap_or("other");
    // The server uses only about a dozen status codes.
    let labels = [("http.request.method", method.to_owned()), ("http.response.status_code", status.to_string())];
    counter!(HTTP_RESPONSES, &labels).increment(1);
}

pub(crate) fn answered(method: &'static str, answer: Result<&str, &AskError>) {
    /// The member of a user's answer that becomes a label: `accept`, `decline` or `cancel`.
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

pub(crate) fn ledger_operation(operation: &LedgerOperation<'_>) {
    let outcome = match operation.error {
        None if operation.is_conflict => "conflict",
        None => "done",
        Some(LedgerError::Full) => "full",
        Some(LedgerError::OutOfSpace(_)) => "out_of_space",
        Some(LedgerError::Replaced) => "replaced",
        Some(LedgerError::Failed(_)) => "failed",
    };
    histogram!(LEDGER_DURATION, "operation" => operation.name, "outcome" => outcome).record(operation.took);
}

impl RequestMeter {
    pub(crate) fn revision(&mut self, revision: Revision) {
        self.revision = Some(revision);
    }

    pub(crate) fn tool(&mut self, name: &str) {
        self.tool = Some(name.to_owned().into());
    }

    pub(crate) fn end(&mut self, outcome: ObservedOutcome, took: Duration) {
        let mut labels = vec![
            Label::new("mcp.method.name", self.method),
            Label::new("mcp.protocol.version", self.revision.map_or("other", Revision::as_str)),
            Label::new("network.transport", self.transport),
            Label::new("outcome", outcome.as_str()),
        ];
        labels.extend(self.tool.take().map(|tool| Label::new("gen_ai.tool.name", tool)));
        labels.extend(error_type(outcome));
        histogram!(REQUEST_DURATION, labels).record(took);
    }
}

impl CallMeter {
    pub(crate) fn end(&mut self, outcome: ObservedOutcome, took: Duration) {
        let mut labels =
            vec![Label::new("gen_ai.tool.name", self.tool.clone()), Label::new("outcome", outcome.as_str())];
        match self.round {
            Some(round) if outcome.is_last(self.is_in_session) => {
                histogram!(CALL_ROUNDS, labels.clone()).record(round + 1);
            }
            Some(_) => {}
            None => labels.push(Label::new("nested", "true")),
        }
        labels.extend(error_type(outcome));
        histogram!(CALL_DURATION, labels).record(took);
    }
}

impl Drop for SessionMeter {
    fn drop(&mut self) {
        histogram!(SESSION_DURATION, "mcp.protocol.version" => self.revision.as_str()).record(self.start.elapsed());
    }
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

fn error_type(outcome: ObservedOutcome) -> Option<Label> {
    outcome.error_type().map(|error| Label::new("error.type", error))
}
