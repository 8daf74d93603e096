//! Which era a request belongs to, and what opens a session.

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::{client::Client, tools::server};

fn service() -> mcp_runtime::Service {
    server().0.build().unwrap()
}

#[tokio::test]
async fn a_session_opens_in_every_legacy_revision() {
    for revision in Revision::ALL.into_iter().filter(|revision| !revision.is_modern()) {
        let mut client = Client::silent(&service(), revision);
        let result = client.initialize().await;
        assert_eq!(result["protocolVersion"], revision.as_str());
        assert_eq!(result["capabilities"], json!({ "logging": {}, "tools": {} }));
        assert_eq!(result["instructions"], "For tests.");
        client.notify("notifications/initialized", json!({})).await;
        client.works().await;
        let _: Value = result;
    }
}
