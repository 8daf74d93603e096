//! The era of a request: its `_meta` decides, not its method or earlier messages.

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::protocol::{LEGACY, client::Client, client::modern, service};

const ALL_REVISIONS: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

#[tokio::test]
async fn modern_requests_are_served_before_beside_and_after_a_session() {
    for revision in LEGACY {
        let mut client = Client::silent(&service(), revision);
        served_as_modern(&mut client).await;
        client = client.ready().await;
        served_as_modern(&mut client).await;
        // The session is what it was.
        client.result("ping", json!({})).await;
        client.works().await;
        served_as_modern(&mut client).await;
    }
}

async fn served_as_modern(client: &mut Client) {
    let params = modern(json!({ "name": "add", "arguments": { "a": 2, "b": 3 } }), &json!({}));
    let request = json!({ "jsonrpc": "2.0", "id": "m", "method": "tools/call", "params": params });
    client.send(&request.to_string()).await;
    let response = client.next_response().await;
    assert_eq!(response["result"]["resultType"], "complete");
    assert_eq!(response["result"]["structuredContent"], json!({ "total": 5 }));
}

#[tokio::test]
async fn before_a_session_only_ping_is_answered_without_meta() {
    let mut client = Client::silent(&service(), Revision::V2025_11_25);
    client.result("ping", json!({})).await;
    for method in ["tools/list", "logging/setLevel", "server/discover", "no/such", ""] {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {} });
        let error = client.refused(&request.to_string()).await;
        assert_eq!(error["code"], -32602, "{method}");
        assert_eq!(error["data"]["supported"], json!(ALL_REVISIONS));
        assert!(error["message"].as_str().unwrap().contains("initialize"), "{error}");
    }
    client.ready().await.works().await;
}

#[tokio::test]
async fn methods_of_a_session_do_not_exist_with_modern_meta() {
    let service = service();
    for mut client in
        [Client::silent(&service, Revision::V2026_07_28), Client::open(&service, Revision::V2025_11_25).await]
    {
        for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "prompts/list", "no/such"] {
            let params = modern(json!({ "protocolVersion": "2025-11-25", "level": "info" }), &json!({}));
            let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            let error = client.refused(&request.to_string()).await;
            assert_eq!(error["code"], -32601, "{method}");
            assert!(error["message"].as_str().unwrap().contains(method));
        }
        client.works().await;
    }
}

#[tokio::test]
async fn methods_of_the_modern_era_do_not_exist_in_a_session() {
    for revision in LEGACY {
        let mut client = Client::open(&service(), revision).await;
        for method in ["server/discover", "subscriptions/listen", "resources/list", "no/such", "", "initialized"] {
            assert_eq!(client.error(method, json!({})).await["code"], -32601, "{method}");
        }
        client.works().await;
    }
}

#[tokio::test]
async fn rejects_another_version_with_the_supported_ones() {
    let mut client = Client::silent(&service(), Revision::V2026_07_28);
    let supported = client.result("server/discover", json!({})).await["supportedVersions"].clone();
    assert_eq!(supported, json!(ALL_REVISIONS));
    for version in ["1900-01-01", "2025-11-25", "2024-11-05", "", "2026-07-28 "] {
        for method in ["tools/list", "tools/call", "server/discover", "initialize", "no/such"] {
            let mut params = modern(json!({ "name": "echo" }), &json!({}));
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(version);
            let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            let error = client.refused(&request.to_string()).await;
            assert_eq!(error["code"], -32022, "{version} {method}");
            assert_eq!(error["data"], json!({ "supported": supported, "requested": version }));
        }
    }
    client.works().await;
}

#[tokio::test]
async fn modern_meta_must_be_complete() {
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let version = "io.modelcontextprotocol/protocolVersion";
    for meta in [
        json!({ version: "2026-07-28" }),
        json!({ version: "2026-07-28", capabilities: Value::Null }),
        json!({ version: "2026-07-28", capabilities: 1 }),
        json!({ version: "2026-07-28", capabilities: [] }),
        json!({ version: "2026-07-28", capabilities: [{}, {}, {}] }),
        json!({ version: Value::Null, capabilities: {} }),
        json!({ version: 20260728, capabilities: {} }),
        json!({ version: ["2026-07-28"], capabilities: {} }),
        json!({ capabilities: {} }),
    ] {
        let mut client = Client::silent(&service(), Revision::V2026_07_28);
        for method in ["tools/list", "tools/call", "server/discover"] {
            let request = json!({ "jsonrpc": "2.0", "id": "r", "method": method,
                "params": { "name": "gallery", "_meta": meta } });
            assert_eq!(client.refused(&request.to_string()).await["code"], -32602, "{meta}");
        }
        client.works().await;
    }
}
