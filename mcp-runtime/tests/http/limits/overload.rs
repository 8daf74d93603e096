//! More calls and sessions than the limits allow.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{Router, http::StatusCode};
use mcp_runtime::{Principal, Server, http::HttpLimits, prelude::*};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tower::ServiceExt;

use super::server;
use crate::http::{
    session::Session,
    wire::{Reply, event, modern, request, send},
};

fn app(server: Server) -> Router {
    Router::new().nest("/mcp", server.build().unwrap().router())
}

fn begin(app: &Router, name: &'static str, arguments: Value) -> JoinHandle<Reply> {
    let app = app.clone();
    tokio::spawn(async move { modern(&app, "tools/call", json!({ "name": name, "arguments": arguments })).await })
}

/// Lets all other tasks run.
async fn settle() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

fn assert_refused(reply: &Reply, status: StatusCode) {
    assert_eq!((reply.status, &reply.headers["retry-after"]), (status, &"1".parse().unwrap()), "{}", reply.text);
    assert_eq!(reply.json()["error"]["code"], -32603);
    assert_eq!(reply.json()["error"]["data"]["retryAfterMs"], 1000);
}

#[tokio::test(start_paused = true)]
async fn calls_without_session_share_the_limit() {
    let app = app(server(HttpLimits::default().queue_timeout(Duration::ZERO)).max_concurrent_calls(2));
    let running =
        [begin(&app, "nap", json!({ "milliseconds": 500 })), begin(&app, "nap", json!({ "milliseconds": 500 }))];
    settle().await;
    let refused = begin(&app, "nap", json!({ "milliseconds": 0 })).await.unwrap();
    assert_refused(&refused, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.json()["id"], 1);
    assert_eq!(modern(&app, "tools/list", json!({})).await.status, StatusCode::OK, "it runs nothing");
    for call in running {
        assert_eq!(call.await.unwrap().status, StatusCode::OK);
    }
    assert_eq!(begin(&app, "nap", json!({ "milliseconds": 0 })).await.unwrap().status, StatusCode::OK);
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_calls_queues() {
    let app = app(server(HttpLimits::default().max_calls_per_client(100)).max_concurrent_calls(2));
    let alone = (0..10).map(|_| begin(&app, "nap", json!({ "milliseconds": 500 }))).collect::<Vec<_>>();
    let session = Session::of(app.clone(), "2025-11-25").await;
    let start = tokio::time::Instant::now();
    for call in alone {
        let reply = call.await.unwrap();
        assert_eq!((reply.status, reply.text.contains("rested")), (StatusCode::OK, true), "{}", reply.text);
    }
    assert_eq!(start.elapsed().as_millis() / 500, 5, "two at a time");
    let nap = async |id| session.post(&Session::call(id, "nap", &json!({ "milliseconds": 500 }))).await.status;
    let statuses = tokio::join!(nap(1), nap(2), nap(3), nap(4));
    assert_eq!(<[StatusCode; 4]>::from(statuses), [StatusCode::OK; 4]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_too_long_gets_503_and_never_runs() {
    let app = app(server(HttpLimits::default().queue_timeout(Duration::from_secs(2))).max_concurrent_calls(1));
    let running = begin(&app, "nap", json!({ "milliseconds": 10_000 }));
    settle().await;
    let start = tokio::time::Instant::now();
    assert_refused(&begin(&app, "nap", json!({ "milliseconds": 0 })).await.unwrap(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(start.elapsed().as_secs(), 2);
    // A client that disconnects leaves the queue.
    let gone = begin(&app, "nap", json!({ "milliseconds": 10_000 }));
    settle().await;
    gone.abort();
    let next = begin(&app, "nap", json!({ "milliseconds": 0 }));
    tokio::time::sleep(Duration::from_secs(1)).await;
    running.abort();
    assert_eq!(next.await.unwrap().status, StatusCode::OK);
}

/// Counts its calls.
#[mcp_tool(read_only)]
async fn enter(begun: &Arc<AtomicUsize>) -> &'static str {
    begun.fetch_add(1, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(1)).await;
    "left"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn never_rejects_a_call_that_has_begun() {
    let limits = HttpLimits::default().queue_timeout(Duration::ZERO).max_calls_per_client(1000);
    let begun = Arc::new(AtomicUsize::new(0));
    let server = Server::new("s", "1").state(Arc::clone(&begun)).tools(tools![enter]).http_limits(limits);
    let app = app(server.max_concurrent_calls(2));
    let (mut answered, mut refused) = (0, 0);
    for _ in 0..300 {
        let calls = (0..16).map(|_| begin(&app, "enter", json!({}))).collect::<Vec<_>>();
        for call in calls {
            match call.await.unwrap().status {
                StatusCode::OK => answered += 1,
                status => {
                    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 0, "there was room for all");
    assert_eq!(begun.load(Ordering::Relaxed), answered);
}

#[tokio::test(start_paused = true)]
async fn bounds_the_bytes_of_calls() {
    let limits = HttpLimits::default().max_calls_per_client(10_000);
    let app = app(server(limits).max_message_size(32 * 1024 * 1024).max_concurrent_calls(1));
    let large = |milliseconds| json!({ "milliseconds": milliseconds, "text": "x".repeat(30 * 1024 * 1024) });
    // Each counts twice, so 256 MiB hold four.
    let calls = (0..4).map(|_| begin(&app, "keep", large(100))).collect::<Vec<_>>();
    settle().await;
    assert_refused(&begin(&app, "keep", large(0)).await.unwrap(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(begin(&app, "nap", json!({ "milliseconds": 0 })).await.unwrap().status, StatusCode::OK);
    for call in calls {
        assert_eq!(call.await.unwrap().status, StatusCode::OK);
    }
}

#[tokio::test(start_paused = true)]
async fn one_session_cannot_use_all_slots() {
    let app = app(server(HttpLimits::default().queue_timeout(Duration::ZERO)).max_concurrent_calls(2));
    let one = Session::of(app.clone(), "2025-11-25").await;
    let other = Session::of(app.clone(), "2025-11-25").await;
    let nap =
        async |session: &Session, id| session.post(&Session::call(id, "nap", &json!({ "milliseconds": 500 }))).await;
    let late = async {
        settle().await;
        let second = nap(&one, 2).await;
        (second, begin(&app, "nap", json!({ "milliseconds": 0 })).await.unwrap())
    };
    let (first, third, (second, alone)) = tokio::join!(nap(&one, 1), nap(&other, 1), late);
    assert_eq!((first.status, third.status), (StatusCode::OK, StatusCode::OK));
    assert_refused(&second, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(second.json()["id"], 2);
    assert_refused(&alone, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(nap(&one, 2).await.status, StatusCode::OK, "its id was not used up");
}

#[tokio::test(start_paused = true)]
async fn a_principal_is_one_client_in_sessions_and_without() {
    let app = app(server(HttpLimits::default().max_calls_per_client(1)));
    let as_ann = |principal: &'static str| {
        let layer =
            axum::middleware::from_fn(move |mut request: axum::extract::Request, next: axum::middleware::Next| {
                request.extensions_mut().insert(Principal::new(principal));
                next.run(request)
            });
        app.clone().layer(layer)
    };
    let (ann, bob) = (as_ann("ann"), as_ann("bob"));
    let running = begin(&ann, "nap", json!({ "milliseconds": 500 }));
    let session = Session::of(ann.clone(), "2025-11-25").await;
    let refused = begin(&ann, "nap", json!({ "milliseconds": 0 })).await.unwrap();
    assert_refused(&refused, StatusCode::TOO_MANY_REQUESTS);
    let refused = session.post(&Session::call(1, "nap", &json!({ "milliseconds": 0 }))).await;
    assert_refused(&refused, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(begin(&bob, "nap", json!({ "milliseconds": 0 })).await.unwrap().status, StatusCode::OK);
    assert_eq!(begin(&app, "nap", json!({ "milliseconds": 0 })).await.unwrap().status, StatusCode::OK);
    assert_eq!(running.await.unwrap().status, StatusCode::OK);
    assert_eq!(begin(&ann, "nap", json!({ "milliseconds": 0 })).await.unwrap().status, StatusCode::OK);
}

#[tokio::test]
async fn a_call_that_waits_for_an_answer_counts_but_does_not_run() {
    let app = app(server(HttpLimits::default().max_calls_in_flight(2).max_calls_per_client(1)).max_concurrent_calls(1));
    let session = Session::of(app.clone(), "2025-11-25").await;
    let mut waiting = Vec::new();
    for id in [1, 2] {
        let call = Session::call(id, "book", &json!({})).to_string();
        let response = app.clone().oneshot(request("POST", &session.headers(), &call)).await.unwrap();
        let mut stream = response.into_body().into_data_stream();
        let question = next(&mut stream).await;
        assert_eq!(question["method"], "elicitation/create");
        waiting.push((question["id"].clone(), stream));
        settle().await;
    }
    let refused = begin(&app, "nap", json!({ "milliseconds": 0 })).await.unwrap();
    assert_refused(&refused, StatusCode::SERVICE_UNAVAILABLE);
    for (id, mut stream) in waiting {
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "decline" } });
        assert_eq!(session.post(&answer).await.status, StatusCode::ACCEPTED);
        assert_eq!(next(&mut stream).await["result"]["content"][0]["text"], "not booked");
    }
    settle().await;
    assert_eq!(begin(&app, "nap", json!({ "milliseconds": 1 })).await.unwrap().status, StatusCode::OK);
    // A session that ends cancels its calls.
    let call = Session::call(3, "book", &json!({})).to_string();
    for _ in 0..2 {
        let session = Session::of(app.clone(), "2025-11-25").await;
        let response = app.clone().oneshot(request("POST", &session.headers(), &call)).await.unwrap();
        next(&mut response.into_body().into_data_stream()).await;
        let deleted = send(&app, request("DELETE", &session.headers(), "")).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        settle().await;
    }
    assert_eq!(begin(&app, "nap", json!({ "milliseconds": 1 })).await.unwrap().status, StatusCode::OK);
}

#[tokio::test]
async fn bounds_sessions_in_total_and_per_principal() {
    let app = app(server(HttpLimits::default().max_sessions(3).max_sessions_per_principal(1)));
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
    }})
    .to_string();
    let open = async |principal: Option<&str>| {
        let mut request = request("POST", &[], &hello);
        principal.map(|name| request.extensions_mut().insert(Principal::new(name)));
        send(&app, request).await
    };
    assert_eq!(open(Some("ann")).await.status, StatusCode::OK);
    assert_refused(&open(Some("ann")).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(open(Some("bob")).await.status, StatusCode::OK);
    let last = open(None).await;
    // The table is full, so the oldest unused session is evicted.
    assert_eq!(open(None).await.status, StatusCode::OK);
    let id = last.headers["mcp-session-id"].to_str().unwrap();
    assert_eq!(send(&app, request("DELETE", &[("mcp-session-id", id)], "")).await.status, StatusCode::NO_CONTENT);
    assert_eq!(open(Some("ann")).await.status, StatusCode::OK, "hers has made room");
}

#[tokio::test(start_paused = true)]
async fn a_principal_at_its_limit_replaces_a_session_silent_for_a_minute() {
    let app = app(server(HttpLimits::default().max_sessions_per_principal(2)));
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
    }})
    .to_string();
    let open = async || {
        let mut request = request("POST", &[], &hello);
        request.extensions_mut().insert(Principal::new("ann"));
        send(&app, request).await
    };
    assert_eq!(open().await.status, StatusCode::OK);
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(open().await.status, StatusCode::OK);
    assert_refused(&open().await, StatusCode::TOO_MANY_REQUESTS);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(open().await.status, StatusCode::OK, "the first was silent for a minute");
    assert_refused(&open().await, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test(start_paused = true)]
async fn evicts_unused_sessions() {
    let app = app(server(HttpLimits::default().max_sessions(1).session_idle(Duration::from_secs(120))));
    let first = Session::of(app.clone(), "2025-11-25").await;
    tokio::time::sleep(Duration::from_secs(121)).await;
    Session::of(app.clone(), "2025-11-25").await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(first.post(&ping).await.status, StatusCode::NOT_FOUND);
}

/// Returns the message of the next event that has one.
async fn next(stream: &mut axum::body::BodyDataStream) -> Value {
    use std::{future::poll_fn, pin::Pin};
    loop {
        let mut body = Pin::new(&mut *stream);
        let frame = poll_fn(|cx| http_body::Body::poll_frame(body.as_mut(), cx)).await.expect("it goes on").unwrap();
        if let Some(message) = event(str::from_utf8(&frame.into_data().unwrap()).unwrap()) {
            return message;
        }
    }
}
