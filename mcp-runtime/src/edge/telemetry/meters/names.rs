//! The names of the measurements. [`observing`](crate::guide::observing) has the table for operators.

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

pub(super) const REQUEST_DURATION: &str = "mcp.server.operation.duration";
pub(super) const SESSION_DURATION: &str = "mcp.server.session.duration";
pub(super) const ACTIVE_SESSIONS: &str = "mcp.server.sessions.active";
pub(super) const CALL_DURATION: &str = "mcp.server.call.duration";
pub(super) const CALL_ROUNDS: &str = "mcp.server.call.rounds";
pub(super) const ACTIVE_CALLS: &str = "mcp.server.calls.active";
pub(super) const PARKED_CALLS: &str = "mcp.server.calls.parked";
pub(super) const ASKS: &str = "mcp.server.asks";
pub(super) const LEDGER_DURATION: &str = "mcp.server.ledger.duration";
pub(super) const REFUSED: &str = "mcp.server.refused";
pub(super) const HTTP_RESPONSES: &str = "mcp.server.http.responses";

/// The methods of all requests that a client can send. Measurements of any other method have the label `other`.
pub(super) const METHODS: [&str; 20] = [
    "initialize",
    "server/discover",
    "ping",
    "tools/list",
    "tools/call",
    "logging/setLevel",
    "subscriptions/listen",
    "completion/complete",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "tasks/get",
    "tasks/list",
    "tasks/cancel",
    "tasks/result",
    "tasks/update",
];

/// Describes the measurements and their units to the recorder of the crate `metrics`. `Server::build` calls this
/// function. If you install the recorder after `build`, call this function yourself.
pub fn describe_metrics() {
    describe_histogram!(REQUEST_DURATION, Unit::Seconds, "requests, from their arrival to their answer");
    describe_histogram!(SESSION_DURATION, Unit::Seconds, "sessions of clients with a handshake");
    describe_gauge!(ACTIVE_SESSIONS, Unit::Count, "sessions that are open");
    describe_histogram!(CALL_DURATION, Unit::Seconds, "rounds of calls; each ends with the result or with questions");
    describe_histogram!(CALL_ROUNDS, Unit::Count, "number of rounds of each ended call");
    describe_gauge!(ACTIVE_CALLS, Unit::Count, "calls in a round, and calls in a session that wait for their client");
    describe_gauge!(PARKED_CALLS, Unit::Count, "calls kept in memory for their next request");
    describe_counter!(ASKS, Unit::Count, "questions to clients, counted when each one ends with or without an answer");
    describe_histogram!(LEDGER_DURATION, Unit::Seconds, "operations of the ledger");
    describe_counter!(REFUSED, Unit::Count, "calls and sessions rejected because a limit is reached");
    describe_counter!(HTTP_RESPONSES, Unit::Count, "responses over HTTP");
}
