//! The layer in the global subscriber, which does not block other events.

use mcp_runtime::{prelude::*, telemetry::client_layer, testing::Client};
use serde_json::json;
use tracing::info;
use tracing_subscriber::prelude::*;

use crate::support::own_process::in_own_process;

/// A value whose `Debug` implementation emits an event.
struct Talker;

impl std::fmt::Debug for Talker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        info!(talker = ?Self, "while being shown");
        f.write_str("Talker")
    }
}

/// Show a value that speaks.
#[mcp_tool]
async fn gossip() {
    info!(talker = ?Talker, "shown");
}

#[tokio::test]
async fn does_not_forward_events_emitted_while_forwarding() {
    in_own_process!();
    tracing_subscriber::registry().with(client_layer()).try_init().unwrap();
    let service = Server::new("zoo", "1.0.0").tools(tools![gossip]).build().unwrap();
    let outcome = Client::modern(&service).call("gossip", ()).await;
    let [log] = outcome.logs() else { panic!("{:?}", outcome.logs()) };
    assert_eq!(log.data, json!({ "message": "shown", "talker": "Talker" }));
}
