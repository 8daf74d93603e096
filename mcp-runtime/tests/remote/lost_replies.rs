//! Requests that have run, but whose reply is lost.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::StatusCode,
    middleware::{Next, from_fn},
    response::IntoResponse,
};
use mcp_runtime::{Revision, prelude::*, remote::Remote, store::KeyRing, testing::Client};
use serde_json::{Value, json};

use super::{
    planner,
    servers::{light, shop},
};
use crate::support::{
    remote_servers::{Done, serve},
    shared_ledger::SharedLedger,
};

/// Serves a shop behind a proxy that loses the first replies to calls. Calls a tool within a call, and returns what the
/// client reads and what the tools of the shop have done.
async fn call(server: impl FnOnce(Server) -> Server, lost: usize, tool: &str) -> (String, Vec<String>) {
    let (done, left) = (Done::default(), Arc::new(AtomicUsize::new(lost)));
    let service = server(shop(&done).tools(tools![light])).build().unwrap();
    let proxy = from_fn(move |request: Request, next: Next| {
        let left = Arc::clone(&left);
        async move {
            let (parts, body) = request.into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap();
            let is_call = serde_json::from_slice::<Value>(&body).unwrap()["method"] == "tools/call";
            let reply = next.run(Request::from_parts(parts, Body::from(body))).await;
            let is_lost =
                is_call && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
            if is_lost { StatusCode::BAD_GATEWAY.into_response() } else { reply }
        }
    });
    let remote = Remote::http(serve(service.router().layer(proxy)).await).named("shop");
    let planner = planner(&remote).build().unwrap();
    let mut client = Client::new(&planner, Revision::LATEST);
    let reply = client.call("forward", json!({ "tool": tool, "arguments": { "line": "tea" } })).await;
    (reply.text(), done.take())
}

const LOST: &str = "the server `shop` has not answered `tools/call`, and may have run it: ";

#[tokio::test]
async fn a_request_that_can_run_twice_is_sent_again_once() {
    let (text, done) = call(|server| server, 1, "light").await;
    assert_eq!((&*text, &*done), ("3", &["light".to_owned(), "light".to_owned()][..]));
    let (text, done) = call(|server| server, 3, "light").await;
    assert!(text.starts_with(LOST), "{text}");
    assert_eq!(done, ["light", "light"]);
}

#[tokio::test]
async fn another_request_is_not_sent_again() {
    let (text, done) = call(|server| server, 1, "note").await;
    assert!(text.starts_with(LOST), "{text}");
    assert_eq!(done, ["note tea"]);
}

#[tokio::test]
async fn a_request_with_an_idempotency_key_is_sent_again_and_runs_once() {
    let minds_keys = |server: Server| server.ledger(SharedLedger::default()).state_keys(KeyRing::new([7; 32]));
    let (text, done) = call(minds_keys, 1, "note").await;
    assert_eq!((&*text, &*done), ("3", &["note tea".to_owned()][..]));
}
