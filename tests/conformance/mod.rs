//! The example `conformance`: the results and questions of its tools, in a session and in rounds.
//!
//! The protocol's own suite checks the shapes of messages. These tests compare texts, keys and schemas with the
//! requirements of the suite, and check every message against the official schema of its revision.

mod content;
mod listing;
mod questions;
mod raw;
mod resources;
mod rounds;
mod sampling;
mod talk;

use mcp_runtime::{
    Revision, Service,
    testing::{Client, Outcome},
};
use serde_json::{Value, json};

use crate::protocol::schema;

/// The revisions in which the suite calls tools. One has sessions, and the other has none.
const REVISIONS: [Revision; 2] = [Revision::V2025_11_25, Revision::V2026_07_28];

fn service() -> Service {
    conformance::server().build().unwrap()
}

/// Returns the result of a call that asks no question, without the fields that the revision adds.
async fn result(revision: Revision, tool: &str, arguments: Value) -> Value {
    let mut client = Client::new(&service(), revision);
    let outcome = client.call(tool, arguments).await;
    assert_eq!(outcome.asked(), []);
    checked(revision, &outcome)
}

/// Returns the result of a call without the fields that the revision adds, after checking all messages against its
/// schema.
fn checked(revision: Revision, outcome: &Outcome) -> Value {
    let schema = schema::of(revision);
    for message in outcome.transcript().received() {
        let Some(method) = message["method"].as_str() else {
            let asks = message["result"]["resultType"] == "input_required";
            schema.check_result(if asks { "InputRequiredResult" } else { "CallToolResult" }, &message);
            continue;
        };
        schema.check(
            match method {
                "elicitation/create" => "ElicitRequest",
                "notifications/message" => "LoggingMessageNotification",
                "notifications/progress" => "ProgressNotification",
                "roots/list" => "ListRootsRequest",
                "sampling/createMessage" => "CreateMessageRequest",
                other => panic!("nobody expects `{other}`"),
            },
            &message,
        );
    }
    plain(revision, outcome.result())
}

fn plain(revision: Revision, result: &Value) -> Value {
    let mut result = result.clone();
    if revision.is_modern() {
        let members = result.as_object_mut().unwrap();
        assert_eq!(members.remove("resultType"), Some(json!("complete")));
        assert!(members.remove("_meta").is_some());
    }
    result
}

/// Returns a result with one text.
fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}
