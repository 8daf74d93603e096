//! The layer in the subscriber of the whole program, which keeps nobody from speaking while it listens.

use mcp_runtime::{client_layer, prelude::*};
use serde_json::json;
use tracing::info;
use tracing_subscriber::prelude::*;

/// A value whose `Debug` speaks.
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
async fn events_while_an_event_is_forwarded_are_not() {
    tracing_subscriber::registry().with(client_layer()).try_init().unwrap();
    let mut client = Server::new("zoo", "1.0.0").tools(tools![gossip]).build().unwrap().memory();
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "gossip", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/logLevel": "debug",
    } } });
    client.send(&request.to_string()).await;
    let logged = client.receive().await.unwrap();
    assert!(logged.contains(r#""data":{"message":"shown","talker":"Talker"}"#), "{logged}");
    let result = client.receive().await.unwrap();
    assert!(result.contains(r#""result":"#), "{result}");
}
