//! Clients that open more calls than a server can remember.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{Router, http::StatusCode};
use mcp_runtime::{
    Principal, Result, Server,
    prelude::*,
    store::{KeyRing, MemoryLedger},
};
use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use super::socket::Served;
#[cfg(target_os = "linux")]
use crate::http::shutdown::{Session, answer_to, question, text};
use crate::http::wire::{Reply, Seat, Trip, modern};

/// Counts how often an operation ran.
#[derive(Clone, Default)]
struct Runs(Arc<AtomicUsize>);

impl Runs {
    fn note(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

struct Submit;

/// Submits a text when a seat is taken.
#[handoff]
impl Submit {
    async fn before(&self, runs: &Runs, text: String) -> String {
        runs.note();
        text
    }

    async fn client(ctx: &Ctx<Trip>, text: &String) -> Result<String> {
        Ok(ctx.elicit::<Seat>(format!("Which seat for {text}?")).strict().await?.seat)
    }

    async fn after(&self, text: String, seat: String) -> Result<String> {
        Ok(format!("{} bytes in {seat}", text.len()))
    }
}

/// Asks, and cannot be rebuilt.
#[mcp_tool]
async fn reserve(ctx: &Ctx<Trip>, runs: &Runs) -> Result<String> {
    runs.note();
    Ok(ctx.elicit::<Seat>("Which seat?").strict().await?.seat)
}

fn server(runs: &Runs) -> Server {
    let keys = KeyRing::new([7; 32]);
    Server::new("quotas", "1").state_keys(keys).state(runs.clone()).tool(Submit).tools(tools![reserve])
}

fn app(server: Server) -> Router {
    Router::new().nest("/mcp", server.build().unwrap().router())
}

/// Returns the same endpoint with this principal for all requests.
fn of(app: &Router, principal: &'static str) -> Router {
    let identify =
        axum::middleware::from_fn(move |mut request: axum::extract::Request, next: axum::middleware::Next| {
            request.extensions_mut().insert(Principal::new(principal));
            next.run(request)
        });
    app.clone().layer(identify)
}

async fn begin(app: &Router, tool: &str, arguments: &Value) -> Reply {
    modern(app, "tools/call", json!({ "name": tool, "arguments": arguments })).await
}

async fn answer(app: &Router, tool: &str, arguments: &Value, state: &Value) -> Reply {
    let responses = json!({ "seat": { "action": "accept", "content": { "seat": "12A" } } });
    let params = json!({ "name": tool, "arguments": arguments, "requestState": state, "inputResponses": responses });
    modern(app, "tools/call", params).await
}

fn state(reply: &Reply) -> Value {
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    assert_eq!(reply.json()["result"]["resultType"], "input_required", "{}", reply.text);
    reply.json()["result"]["requestState"].clone()
}

fn assert_done(reply: &Reply, text: &str) {
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    assert_eq!(reply.json()["result"]["content"][0]["text"], text, "{}", reply.text);
}

fn assert_refused(reply: &Reply, status: StatusCode, words: &str) {
    assert_eq!(reply.status, status, "{}", reply.text);
    let error = &reply.json()["error"];
    assert_eq!((&error["code"], &error["data"]["retryAfterMs"]), (&json!(-32603), &json!(1000)));
    assert!(error["message"].as_str().unwrap().contains(words), "{error}");
}

#[tokio::test]
async fn large_conversations_of_one_client_do_not_affect_others() {
    let runs = Runs::default();
    let app = app(server(&runs));
    let (ann, bob) = (of(&app, "ann"), of(&app, "bob"));
    let arguments = json!({ "text": "a".repeat(60_000) });
    let mut open = Vec::new();
    for _ in 0..366 {
        let reply = begin(&ann, "submit", &arguments).await;
        if reply.status == StatusCode::OK {
            open.push(state(&reply));
        } else {
            assert_refused(&reply, StatusCode::TOO_MANY_REQUESTS, "your limit");
        }
    }
    assert!((10..100).contains(&open.len()), "{} were begun", open.len());
    assert_eq!(runs.count(), open.len(), "what is refused does not run");

    let bobs = state(&begin(&bob, "submit", &arguments).await);
    assert_done(&answer(&bob, "submit", &arguments, &bobs).await, "60000 bytes in 12A");
    for open in &open {
        assert_done(&answer(&ann, "submit", &arguments, open).await, "60000 bytes in 12A");
    }
}

#[tokio::test]
async fn a_full_ledger_rejects_new_calls_and_keeps_room_for_those_in_flight() {
    for (ledger, text) in
        [(MemoryLedger::with_limits(16, 1 << 24), 10), (MemoryLedger::with_limits(1000, 1 << 20), 40_000)]
    {
        let runs = Runs::default();
        let app = app(server(&runs).ledger(ledger));
        let arguments = json!({ "text": "a".repeat(text) });
        let mut open = Vec::new();
        let refused = loop {
            let reply = begin(&app, "submit", &arguments).await;
            if reply.status != StatusCode::OK {
                break reply;
            }
            open.push(state(&reply));
            assert!(open.len() < 100, "it is never full");
        };
        assert_refused(&refused, StatusCode::SERVICE_UNAVAILABLE, "this server");
        assert!(open.len() > 1);
        assert_eq!(runs.count(), open.len(), "what is refused does not run");
        for open in &open {
            assert_done(&answer(&app, "submit", &arguments, open).await, &format!("{text} bytes in 12A"));
        }
    }
}

#[tokio::test]
async fn limits_the_parked_calls_of_a_client_and_loses_none() {
    let (ann, open) = assert_limits_parked_calls(2048, |server| server).await;
    for open in &open {
        assert_done(&answer(&ann, "reserve", &json!({}), open).await, "12A");
    }
}

#[tokio::test]
async fn the_limit_of_parked_calls_can_be_set_lower_and_higher() {
    for most in [3, 2500] {
        let _ = assert_limits_parked_calls(most, |server| server.max_parked_calls_per_client(most)).await;
    }
}

/// Checks that a client can have `most` parked calls. Returns the client and the states of those that are open.
async fn assert_limits_parked_calls(most: usize, set: impl FnOnce(Server) -> Server) -> (Router, Vec<Value>) {
    let runs = Runs::default();
    let app = app(set(server(&runs)));
    let (ann, bob) = (of(&app, "ann"), of(&app, "bob"));
    let mut open = Vec::new();
    for _ in 0..most {
        open.push(state(&begin(&ann, "reserve", &json!({})).await));
    }
    assert_refused(&begin(&ann, "reserve", &json!({})).await, StatusCode::TOO_MANY_REQUESTS, "your limit");
    assert_eq!(runs.count(), most);
    let bobs = state(&begin(&bob, "reserve", &json!({})).await);
    assert_done(&answer(&bob, "reserve", &json!({}), &bobs).await, "12A");
    assert_done(&answer(&ann, "reserve", &json!({}), &open.remove(0)).await, "12A");
    open.push(state(&begin(&ann, "reserve", &json!({})).await));
    (ann, open)
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn waiting_calls_in_sessions_count_against_their_address() {
    let runs = Runs::default();
    let served = Served::of(server(&runs).max_open_bytes_per_client(500_000)).await;
    let call = |id| {
        let params = json!({ "name": "submit", "arguments": { "text": "a".repeat(60_000) } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    };
    let sessions = [Session::open(served.address).await, Session::open(served.address).await];
    let mut open = Vec::new();
    for (id, session) in [&sessions[0], &sessions[1], &sessions[0], &sessions[1]].into_iter().enumerate() {
        let mut call = session.post(&call(id)).await;
        let question = question(&mut call).await;
        open.push((session, call, question));
    }
    let refused = sessions[0].post(&call(9)).await.answer().await;
    assert_eq!((refused.status, refused.code()), (429, -32603), "{}", refused.json());
    assert_eq!(runs.count(), 4, "what is refused does not run");

    let (_, other) = Session::open_from([127, 0, 0, 2].into(), served.address).await;
    let other = other.unwrap();
    question(&mut other.post(&call(1)).await).await;

    for (session, mut call, question) in open {
        assert_eq!(session.post(&answer_to(&question, "1A")).await.answer().await.status, 202);
        assert_eq!(text(&call.next_message().await.unwrap()), "60000 bytes in 1A");
    }
    question(&mut sessions[0].post(&call(10)).await).await;
}

#[tokio::test]
async fn a_retried_call_with_a_key_counts_once() {
    let runs = Runs::default();
    let ann = of(&app(server(&runs).max_open_calls_per_client(1)), "ann");
    let first = begin_with_key(&ann, "k1").await;
    let again = begin_with_key(&ann, "k1").await;
    assert_eq!(state(&first), state(&again));
    assert_refused(&begin_with_key(&ann, "k2").await, StatusCode::TOO_MANY_REQUESTS, "your limit");
    assert_eq!(runs.count(), 1);
    assert_done(&answer(&ann, "submit", &json!({ "text": "a" }), &state(&first)).await, "1 bytes in 12A");
    assert_done(&begin_with_key(&ann, "k1").await, "1 bytes in 12A");
}

async fn begin_with_key(app: &Router, key: &'static str) -> Reply {
    let with_key =
        axum::middleware::from_fn(move |mut request: axum::extract::Request, next: axum::middleware::Next| {
            request.headers_mut().insert("idempotency-key", key.parse().unwrap());
            next.run(request)
        });
    begin(&app.clone().layer(with_key), "submit", &json!({ "text": "a" })).await
}
