//! The log messages that each client gets.

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::protocol::{LEGACY, client::Client, service};

const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// Calls `speak` and returns the levels of the log messages. The messages must arrive in order and before the result.
async fn heard(client: &mut Client, meta: Value) -> Vec<String> {
    let id = client.begin_call("speak", json!({}), meta).await;
    client.response(&id).await;
    let messages = client.told("notifications/message");
    let level = |message: Value| {
        assert_eq!(message, json!({ "level": message["level"], "logger": "speak", "data": message["level"] }));
        message["level"].as_str().unwrap().to_owned()
    };
    messages.into_iter().map(level).collect()
}

#[tokio::test]
async fn a_session_gets_info_until_it_sets_a_level() {
    for revision in LEGACY {
        let mut client = Client::open(&service(), revision).await;
        assert_eq!(heard(&mut client, json!({})).await, LEVELS[1..]);
        for (least, level) in LEVELS.iter().enumerate().rev() {
            client.result("logging/setLevel", json!({ "level": level })).await;
            assert_eq!(heard(&mut client, json!({})).await, LEVELS[least..]);
        }
    }
}

#[tokio::test]
async fn each_session_has_its_own_level() {
    let service = service();
    let mut loud = Client::open(&service, Revision::V2025_11_25).await;
    let mut quiet = Client::open(&service, Revision::V2025_11_25).await;
    loud.result("logging/setLevel", json!({ "level": "debug" })).await;
    quiet.result("logging/setLevel", json!({ "level": "emergency" })).await;
    assert_eq!(heard(&mut loud, json!({})).await, LEVELS);
    assert_eq!(heard(&mut quiet, json!({})).await, LEVELS[7..]);
}

#[tokio::test]
async fn rejects_an_unknown_level_and_keeps_the_old() {
    for revision in LEGACY {
        let mut client = Client::open(&service(), revision).await;
        client.result("logging/setLevel", json!({ "level": "alert" })).await;
        for params in [json!({ "level": "loud" }), json!({ "level": 3 }), json!({ "level": "" }), json!({})] {
            let request = client.message(&json!("l"), "logging/setLevel", params);
            let error = client.refused(&request.to_string()).await;
            assert_eq!(error["code"], -32602, "{request}");
        }
        assert_eq!(heard(&mut client, json!({})).await, LEVELS[6..]);
    }
}

#[tokio::test]
async fn a_modern_request_gets_logs_only_on_request() {
    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    assert!(heard(&mut client, json!({})).await.is_empty());
    for (least, level) in LEVELS.iter().enumerate() {
        let meta = json!({ "io.modelcontextprotocol/logLevel": level });
        assert_eq!(heard(&mut client, meta).await, LEVELS[least..]);
        // The level of one request does not apply to the next.
        assert!(heard(&mut client, json!({})).await.is_empty());
    }
}

#[tokio::test]
async fn rejects_an_unknown_level_in_a_modern_request() {
    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    for method in ["tools/call", "tools/list", "server/discover"] {
        for level in [json!("loud"), json!(3), json!("")] {
            let params = json!({ "name": "speak", "_meta": { "io.modelcontextprotocol/logLevel": level } });
            let request = client.message(&json!("l"), method, params);
            assert_eq!(client.refused(&request.to_string()).await["code"], -32602, "{request}");
        }
    }
    client.works().await;
}

#[tokio::test]
async fn the_level_of_a_session_does_not_reach_modern_requests() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    client.result("logging/setLevel", json!({ "level": "debug" })).await;
    let params = crate::protocol::client::modern(json!({ "name": "speak" }), &json!({}));
    client.send(&json!({ "jsonrpc": "2.0", "id": "m", "method": "tools/call", "params": params }).to_string()).await;
    client.response(&json!("m")).await;
    assert!(client.notifications().is_empty());
}

/// A message that another thread logs at the end of a call comes before its result, or not at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_nothing_after_the_result() {
    let service = service();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::open(&service, revision).await;
        for _ in 0..200 {
            let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "error" });
            let id = client.begin_call("chatter", json!({}), meta).await;
            assert!(client.response(&id).await.get("result").is_some());
            assert!(!client.notifications().is_empty());
            client.works().await;
        }
    }
}
