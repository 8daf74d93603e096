//! Servers that mind idempotency keys, and say how long they keep them.

use std::sync::{Arc, Mutex};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::header::CONTENT_LENGTH,
    middleware::{Next, from_fn},
    response::Response,
};
use mcp_runtime::{CallToolResult, Result, Revision, prelude::*, remote::Remote, store::KeyRing, testing::Client};
use serde_json::{Value, json};

use super::{planner, servers::shop};
use crate::support::{
    remote_servers::{Done, serve},
    shared_ledger::SharedLedger,
};

/// What passes between a server and its client.
#[derive(Default)]
struct Seen {
    /// What the server has declared.
    declared: Value,
    /// The key of the last call.
    key: Value,
}

/// Serves a shop that minds keys. If `declares` is set, its client reads this instead of what the server declares.
async fn served(declares: Option<Value>) -> (Remote, Arc<Mutex<Seen>>) {
    let server = shop(&Done::default()).ledger(SharedLedger::default()).state_keys(KeyRing::new([7; 32]));
    let seen = Arc::<Mutex<Seen>>::default();
    let sees = Arc::clone(&seen);
    let between = from_fn(move |request: Request, next: Next| {
        let (declares, sees) = (declares.clone(), Arc::clone(&sees));
        async move {
            let (parts, body) = request.into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap();
            let sent: Value = serde_json::from_slice(&body).unwrap();
            let response = next.run(Request::from_parts(parts, Body::from(body))).await;
            if sent["method"] == "tools/call" {
                sees.lock().unwrap().key = sent["params"]["_meta"]["idempotency-key"].clone();
            }
            if sent["method"] != "server/discover" {
                return response;
            }
            let (mut parts, body) = response.into_parts();
            let mut answer: Value = serde_json::from_slice(&to_bytes(body, usize::MAX).await.unwrap()).unwrap();
            let declared = &mut answer["result"]["capabilities"]["experimental"];
            sees.lock().unwrap().declared = declared.clone();
            declares.into_iter().for_each(|declares| *declared = declares);
            parts.headers.remove(CONTENT_LENGTH);
            Response::from_parts(parts, Body::from(answer.to_string()))
        }
    });
    let url = serve(server.build().unwrap().router().layer(between)).await;
    (Remote::http(url).named("shop"), seen)
}

/// Takes a note at the shop, and can wait for two hours in between.
#[mcp_tool(replayable, answer_within = "2h")]
async fn note_slowly(ctx: &Ctx, shop: &Remote) -> Result<CallToolResult> {
    shop.call("note", json!({ "line": "tea" })).within(ctx).await
}

/// Returns whether the call of this tool sends a key to the server.
async fn sends_key(remote: &Remote, seen: &Mutex<Seen>, tool: &str) -> bool {
    let service = planner(remote).tools(tools![note_slowly]).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST);
    let arguments = json!({ "tool": "note", "arguments": { "line": "tea" } });
    let reply = client.call(tool, if tool == "forward" { arguments } else { json!({}) }).await;
    assert_eq!(reply.text(), "3");
    seen.lock().unwrap().key.is_string()
}

#[tokio::test]
async fn a_server_with_a_store_says_how_long_it_keeps_keys() {
    let (remote, seen) = served(None).await;
    assert!(sends_key(&remote, &seen, "forward").await);
    assert_eq!(seen.lock().unwrap().declared, json!({ "idempotency-key": { "keptForMs": 3_600_000 } }));
}

#[tokio::test]
async fn keys_are_sent_only_if_the_server_keeps_them_as_long_as_the_call_can_last() {
    let hour = 3_600_000;
    for (declares, of_an_hour, of_two) in [
        (json!({ "idempotency-key": {} }), true, true),
        (json!({ "idempotency-key": { "keptForMs": 2 * hour } }), true, true),
        (json!({ "idempotency-key": { "keptForMs": 2 * hour - 1 } }), true, false),
        (json!({ "idempotency-key": { "keptForMs": hour - 1 } }), false, false),
        (json!({ "idempotency-key": true }), false, false),
        (json!({}), false, false),
    ] {
        let (remote, seen) = served(Some(declares.clone())).await;
        let sent = [sends_key(&remote, &seen, "forward").await, sends_key(&remote, &seen, "note_slowly").await];
        assert_eq!(sent, [of_an_hour, of_two], "{declares}");
    }
}
