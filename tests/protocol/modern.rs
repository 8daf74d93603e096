//! The parts of the protocol that exist only since 2026-07-28.

use mcp_runtime::Revision;
use serde_json::json;

use crate::protocol::{client::Client, client::modern, service};

#[tokio::test]
async fn discovery_says_what_the_server_is_and_can_do() {
    let mut client = Client::silent(&service(), Revision::V2026_07_28);
    let result = client.result("server/discover", json!({})).await;
    let expected = json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        "capabilities": { "logging": {}, "tools": {} },
        "instructions": "For tests.",
        "ttlMs": 3_600_000,
        "cacheScope": "public",
        "_meta": { "io.modelcontextprotocol/serverInfo": {
            "name": "probe", "title": "Probe", "version": "1.2.3",
            "icons": [{ "src": "https://example.com/probe.png", "mimeType": "image/png", "sizes": ["48x48"],
                "theme": "dark" }],
            "websiteUrl": "https://example.com/probe" } },
    });
    assert_eq!(result, expected);
}

#[tokio::test]
async fn client_info_is_optional_and_has_no_effect() {
    let mut client = Client::silent(&service(), Revision::V2026_07_28);
    for info in [json!({ "name": "c", "version": "1" }), json!({}), json!(7), json!(null)] {
        let mut params = modern(json!({ "name": "echo", "arguments": { "text": "x" } }), &json!({}));
        params["_meta"]["io.modelcontextprotocol/clientInfo"] = info;
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        client.send(&request.to_string()).await;
        assert_eq!(client.next_response().await["result"]["content"][0]["text"], "x");
    }
    client.works().await;
}

#[tokio::test]
async fn the_author_sets_the_time_to_live() {
    let server = crate::protocol::server().0.ttl(std::time::Duration::from_millis(1500));
    let mut client = Client::silent(&server.build().unwrap(), Revision::V2026_07_28);
    assert_eq!(client.result("tools/list", json!({})).await["ttlMs"], 1500);
    assert_eq!(client.result("server/discover", json!({})).await["ttlMs"], 1500);
}

#[tokio::test]
async fn ignores_members_of_other_extensions_and_rounds() {
    let mut client = Client::silent(&service(), Revision::V2026_07_28);
    let params = json!({ "name": "echo", "arguments": { "text": "x" }, "task": { "ttl": 5 }, "x": [],
        "_meta": { "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "com.example/a": 1 } });
    assert_eq!(client.result("tools/call", params).await["content"][0]["text"], "x");
}
