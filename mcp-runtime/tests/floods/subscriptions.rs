//! Subscriptions, in sessions and with `subscriptions/listen`.

use mcp_runtime::{MemoryClient, Service, prelude::*, tool::DynamicTool};
use serde_json::{Value, json};

use crate::{floods::memory::Idle, support::own_process::in_own_process};

fn service() -> Service {
    Server::new("app", "1").dynamic_tools().dynamic_resources().build().unwrap()
}

/// Sends a request, and returns the next message.
async fn request(client: &mut MemoryClient, id: usize, method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    if method == "subscriptions/listen" {
        message["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    client.send(&message.to_string()).await;
    serde_json::from_str(&client.receive().await.unwrap()).unwrap()
}

async fn session(service: &Service) -> MemoryClient {
    let mut client = service.memory();
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    request(&mut client, 0, "initialize", params).await;
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string()).await;
    client
}

/// Waits for a notice that the list of tools has changed.
async fn gets_notices(service: &Service, client: &mut MemoryClient) {
    let tool = DynamicTool::from_schema("late", "A tool.", json!({ "type": "object" }), async |_: Ctx, _: Value| "");
    service.tools().add(tool).unwrap();
    let notice: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
    assert_eq!(notice["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn listening_requests_have_a_bound_over_all() {
    in_own_process!();
    let service = service();
    let mut others = service.memory();
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    request(&mut others, 1, "subscriptions/listen", wanted).await;
    let idle = Idle::measure();
    let mut clients = Vec::new();
    let mut most = 0;
    for client in 0..40 {
        let mut eve = service.memory();
        let mut begun = 0;
        for id in 0..20 {
            let uris: Vec<_> = (0..1_000).map(|uri| format!("test://{client}/{id}/{uri}/{}", "x".repeat(40))).collect();
            let wanted = json!({ "notifications": { "resourceSubscriptions": uris } });
            let answer = request(&mut eve, id, "subscriptions/listen", wanted).await;
            match answer["error"]["message"].as_str() {
                Some(words) => assert!(words.contains("limit of"), "{answer}"),
                None => begun += 1,
            }
        }
        most = most.max(begun);
        clients.push(eve);
    }
    assert!((5..=10).contains(&most), "{most}");
    idle.assert_peak();
    gets_notices(&service, &mut others).await;
    // A newcomer is admitted: a client that has more loses its oldest subscription.
    let mut newcomer = service.memory();
    let wanted = json!({ "notifications": { "resourceSubscriptions": ["test://page"] } });
    let answer = request(&mut newcomer, 1, "subscriptions/listen", wanted).await;
    assert_eq!(answer["method"], "notifications/subscriptions/acknowledged");
    drop(clients);
}

#[tokio::test]
async fn watched_resources_of_sessions_have_a_bound_over_all() {
    in_own_process!();
    let service = service();
    let mut others = session(&service).await;
    let idle = Idle::measure();
    let mut clients = Vec::new();
    let mut refused = 0;
    // A session can have 64 KiB. Long URIs reach the limit of bytes with a seventh of the requests that the limit of their
    // number takes.
    let rest = "x".repeat(1_000);
    for client in 0..300 {
        let mut eve = session(&service).await;
        for id in 0..60 {
            let uri = format!("test://{client}/{id}/{rest}");
            let answer = request(&mut eve, id, "resources/subscribe", json!({ "uri": uri })).await;
            refused += usize::from(answer["error"]["message"].as_str().is_some_and(|words| words.contains("limit")));
        }
        clients.push(eve);
    }
    assert!((1_000..2_500).contains(&refused), "{refused}");
    idle.assert_peak();
    gets_notices(&service, &mut others).await;
    drop(clients);
}
