//! The request `initialize`, and the messages before and after it.

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::protocol::{LEGACY, client::Client, service};

#[tokio::test]
async fn a_session_opens_in_every_legacy_revision() {
    for revision in LEGACY {
        let mut client = Client::silent(&service(), revision);
        let result = client.initialize().await;
        let server = match revision {
            Revision::V2024_11_05 | Revision::V2025_03_26 => json!({ "name": "probe", "version": "1.2.3" }),
            Revision::V2025_06_18 => json!({ "name": "probe", "title": "Probe", "version": "1.2.3" }),
            _ => json!({ "name": "probe", "title": "Probe", "version": "1.2.3",
                "icons": [{ "src": "https://example.com/probe.png", "mimeType": "image/png", "sizes": ["48x48"],
                    "theme": "dark" }],
                "websiteUrl": "https://example.com/probe" }),
        };
        let expected = json!({ "protocolVersion": revision.as_str(), "capabilities": { "logging": {}, "tools": {} },
            "serverInfo": server, "instructions": "For tests." });
        assert_eq!(result, expected);

        client.notify("notifications/initialized", json!({})).await;
        client.works().await;
    }
}

#[tokio::test]
async fn an_unknown_revision_is_offered_the_newest_that_has_a_handshake() {
    for requested in ["2026-07-28", "2099-01-01", "1.0", ""] {
        let mut client = Client::silent(&service(), Revision::V2025_11_25);
        let params = json!({ "protocolVersion": requested, "capabilities": {},
            "clientInfo": { "name": "c", "version": "1" } });
        assert_eq!(client.result("initialize", params).await["protocolVersion"], "2025-11-25");
        client.works().await;
    }
}

#[tokio::test]
async fn a_second_handshake_replaces_the_first() {
    let service = service();
    let mut client = Client::open(&service, Revision::V2024_11_05).await;
    assert!(client.call("add", json!({ "a": 1 })).await.get("structuredContent").is_none());

    // The same connection, now of a newer revision.
    let mut client = Client::new(client.wire, Revision::V2025_06_18).ready().await;
    assert_eq!(client.call("add", json!({ "a": 1 })).await["structuredContent"], json!({ "total": 1 }));
    client.works().await;
}

#[tokio::test]
async fn serves_requests_between_initialize_and_initialized() {
    for revision in LEGACY {
        let mut client = Client::silent(&service(), revision);
        client.result("ping", json!({})).await;
        client.initialize().await;
        client.result("logging/setLevel", json!({ "level": "warning" })).await;
        client.works().await;
        client.notify("notifications/initialized", json!({})).await;
        client.works().await;
    }
}

#[tokio::test]
async fn a_handshake_needs_a_version_and_readable_capabilities() {
    for (params, reason) in [
        (json!({}), "`protocolVersion` must be a string"),
        (json!({ "protocolVersion": 20250618 }), "`protocolVersion` must be a string"),
        (json!({ "protocolVersion": "2025-06-18", "capabilities": 5 }), "capabilities"),
        (json!({ "protocolVersion": "2025-06-18", "capabilities": { "sampling": 1 } }), "capabilities"),
    ] {
        let mut client = Client::silent(&service(), Revision::V2025_06_18);
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let error = client.refused(&request.to_string()).await;
        assert_eq!(error["code"], -32602, "{params}");
        assert!(error["message"].as_str().unwrap().contains(reason), "{error}");
        // No session was opened by it.
        assert_eq!(client.error("tools/list", json!({})).await["code"], -32602);
        client.ready().await.works().await;
    }
}

#[tokio::test]
async fn ignores_unknown_members_of_a_handshake() {
    let mut client = Client::silent(&service(), Revision::V2025_06_18);
    let params = json!({ "protocolVersion": "2025-06-18",
        "capabilities": { "extensions": { "io.modelcontextprotocol/ui": {} }, "tasks": [], "roots": { "x": 1 } },
        "clientInfo": { "name": "c", "version": "1", "colour": "red" }, "more": Value::Null });
    client.send(&json!({ "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params }).to_string()).await;
    assert_eq!(client.next_response().await["result"]["protocolVersion"], "2025-06-18");
    client.works().await;
}
