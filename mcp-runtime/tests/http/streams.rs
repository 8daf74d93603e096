//! Streams of a session: messages that belong to no request, and resuming after a broken connection.

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode},
};
use http_body_util::BodyExt;
use mcp_runtime::{Elicited, Result, Server, prelude::*};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::http::{
    session::Session,
    wire::{Seat, Trip, request, send},
};

/// Counts aloud.
#[mcp_tool]
async fn count(ctx: &Ctx, to: u64, millis: u64) -> Text<u64> {
    for number in 1..=to {
        ctx.log(Level::Info, number);
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
    Text(to)
}

/// Sends its client away until it is done.
#[mcp_tool]
async fn build(ctx: &Ctx) -> &'static str {
    ctx.close_stream(Duration::from_millis(70));
    tokio::time::sleep(Duration::from_millis(100)).await;
    "built"
}

/// Says more than anybody reads.
#[mcp_tool]
async fn babble(ctx: &Ctx) -> &'static str {
    let much = "x".repeat(64 * 1024);
    for _ in 0..100 {
        ctx.log(Level::Info, &much);
    }
    "done"
}

/// Asks for a seat.
#[mcp_tool]
async fn book(ctx: &Ctx<Trip>) -> Result<String> {
    match ctx.elicit::<Seat>("Which seat?").await? {
        Elicited::Accept(Seat { seat }) => Ok(format!("booked {seat}")),
        Elicited::Decline | Elicited::Cancel => Ok("not booked".to_owned()),
    }
}

fn app() -> Router {
    let service = Server::new("streams", "1").tools(tools![count, build, babble, book]).build().unwrap();
    service.mount("/mcp")
}

/// A reader of a response.
struct Reading {
    status: StatusCode,
    headers: HeaderMap,
    body: Body,
}

impl Reading {
    async fn of(app: &Router, request: Request<Body>) -> Self {
        let (parts, body) = app.clone().oneshot(request).await.unwrap().into_parts();
        Self { status: parts.status, headers: parts.headers, body }
    }

    /// Returns the text of the next event.
    async fn next(&mut self) -> Option<String> {
        let frame = tokio::time::timeout(Duration::from_secs(5), self.body.frame()).await.expect("an event or the end");
        Some(String::from_utf8(frame?.unwrap().into_data().unwrap().to_vec()).unwrap())
    }

    async fn rest(mut self) -> Vec<String> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

impl Session {
    async fn call_tool(&self, name: &str, arguments: Value) -> Reading {
        let call = Self::call(1, name, &arguments).to_string();
        Reading::of(&self.app, request("POST", &self.headers(), &call)).await
    }

    async fn get(&self, headers: &[(&str, &str)]) -> Reading {
        let all = [&self.headers(), &[("accept", "text/event-stream")][..], headers].concat();
        Reading::of(&self.app, request("GET", &all, "")).await
    }
}

fn id(event: &str) -> &str {
    event.lines().find_map(|line| line.strip_prefix("id: ")).expect("it has an id")
}

fn message(event: &str) -> Value {
    crate::http::wire::event(event).expect("it has a message")
}

#[tokio::test]
async fn resumes_a_broken_stream() {
    for revision in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let session = Session::of(app(), revision).await;
        let mut broken = session.call_tool("count", json!({ "to": 5, "millis": 20 })).await;
        let mut first = broken.next().await.unwrap();
        if revision == "2025-11-25" {
            assert_eq!(first, "id: 1-0\nretry: 1000\ndata:\n\n", "what it begins with");
            first = broken.next().await.unwrap();
        }
        assert_eq!(message(&first)["params"]["data"], 1);
        drop(broken);

        let rest = session.get(&[("last-event-id", id(&first))]).await;
        assert_eq!(
            (rest.status, &rest.headers["content-type"]),
            (StatusCode::OK, &"text/event-stream".parse().unwrap())
        );
        let rest = rest.rest().await;
        let said: Vec<_> = rest.iter().map(|event| message(event)).collect();
        assert_eq!(said[..4].iter().map(|message| message["params"]["data"].clone()).collect::<Vec<_>>(), [2, 3, 4, 5]);
        assert_eq!((said.len(), &said[4]["result"]["content"][0]["text"]), (5, &json!("5")));

        // Once more, because this connection may have broken too.
        let again = session.get(&[("last-event-id", id(&first))]).await.rest().await;
        assert_eq!(again, rest);
        let nothing = session.get(&[("last-event-id", id(&rest[4]))]).await.rest().await;
        assert!(nothing.is_empty(), "{nothing:?}");
    }
}

#[tokio::test]
async fn only_the_latest_reader_gets_events() {
    let session = Session::of(app(), "2025-06-18").await;
    let mut before = session.call_tool("count", json!({ "to": 3, "millis": 50 })).await;
    let first = before.next().await.unwrap();
    let after = session.get(&[("last-event-id", id(&first))]).await;
    assert_eq!(before.next().await, None);
    assert_eq!(after.rest().await.len(), 3);
}

#[tokio::test]
async fn replays_a_question_after_a_broken_connection() {
    let session = Session::of(app(), "2025-11-25").await;
    let mut broken = session.call_tool("book", json!({})).await;
    let prime = broken.next().await.unwrap();
    let question = broken.next().await.unwrap();
    drop(broken);
    let mut resumed = session.get(&[("last-event-id", id(&prime))]).await;
    assert_eq!(resumed.next().await.as_ref(), Some(&question));
    let answer = json!({ "jsonrpc": "2.0", "id": message(&question)["id"], "result": {
        "action": "accept", "content": { "seat": "12A" },
    }});
    assert_eq!(session.post(&answer).await.status, StatusCode::ACCEPTED);
    assert_eq!(message(&resumed.next().await.unwrap())["result"]["content"][0]["text"], "booked 12A");
    assert_eq!(resumed.next().await, None);
}

#[tokio::test]
async fn a_long_call_sends_an_event_id_early() {
    let session = Session::of(app(), "2025-11-25").await;
    let wait = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "count", "arguments": {
        "to": 1, "millis": 1500,
    }}});
    let silent = json!({ "jsonrpc": "2.0", "id": 2, "method": "logging/setLevel", "params": { "level": "emergency" } });
    assert_eq!(session.post(&silent).await.status, StatusCode::OK);
    let mut call = Reading::of(&session.app, request("POST", &session.headers(), &wait.to_string())).await;
    let prime = call.next().await.unwrap();
    assert!(prime.ends_with("\ndata:\n\n"), "{prime}");
    drop(call);
    let rest = session.get(&[("last-event-id", id(&prime))]).await.rest().await;
    assert_eq!(message(&rest[0])["result"]["content"][0]["text"], "1");
}

#[tokio::test]
async fn a_call_closes_its_stream_and_the_client_resumes_it() {
    let session = Session::of(app(), "2025-11-25").await;
    let events = session.call_tool("build", json!({})).await.rest().await;
    assert_eq!(events, ["id: 1-0\nretry: 1000\ndata:\n\n", "retry: 70\n\n"]);
    let events = session.get(&[("last-event-id", "1-0")]).await.rest().await;
    assert_eq!(message(&events[0])["result"]["content"][0]["text"], "built");

    let older = Session::of(app(), "2025-06-18").await;
    let reply = older.post(&Session::call(1, "build", &json!({}))).await;
    assert_eq!(reply.json()["result"]["content"][0]["text"], "built");
}

#[tokio::test]
async fn rejects_unknown_event_ids() {
    let session = Session::of(app(), "2025-11-25").await;
    let other = Session::of(session.app.clone(), "2025-11-25").await;
    session.call_tool("build", json!({})).await.rest().await;
    for last in ["1-7", "2-0", "1", "", "-1", "1-", "99999999999999999999-0", "\u{e9}"] {
        let refused = session.get(&[("last-event-id", last)]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{last}");
    }
    assert_eq!(other.get(&[("last-event-id", "1-0")]).await.status, StatusCode::BAD_REQUEST, "of another session");
}

#[tokio::test]
async fn an_idle_stream_lasts_until_the_session_ends() {
    let session = Session::of(app(), "2025-11-25").await;
    let json_only = [&session.headers()[..], &[("accept", "application/json")]].concat();
    let refused = send(&session.app, request("GET", &json_only, "")).await;
    assert_eq!(refused.status, StatusCode::NOT_ACCEPTABLE);

    let mut before = session.get(&[]).await;
    let mut listening = session.get(&[]).await;
    assert_eq!((before.status, listening.status), (StatusCode::OK, StatusCode::OK));
    assert_eq!(before.next().await, None, "another has taken its place");
    let nothing = tokio::time::timeout(Duration::from_millis(20), listening.next()).await;
    assert!(nothing.is_err(), "nothing is said on it: {nothing:?}");
    let deleted = send(&session.app, request("DELETE", &session.headers(), "")).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    assert_eq!(listening.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn a_session_with_a_listener_does_not_expire() {
    let session = Session::of(app(), "2025-11-25").await;
    let listening = session.get(&[]).await;
    tokio::time::sleep(Duration::from_secs(31 * 60)).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(session.post(&ping).await.status, StatusCode::OK);
    tokio::time::sleep(Duration::from_secs(31 * 60)).await;
    drop(listening);
    assert_eq!(session.post(&ping).await.status, StatusCode::OK, "it was listened to until now");
    tokio::time::sleep(Duration::from_secs(31 * 60)).await;
    assert_eq!(session.post(&ping).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn bounds_the_messages_of_an_unread_stream() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let session = Session::of(app(), revision).await;
        let events = session.call_tool("babble", json!({})).await.rest().await;
        let bytes: usize = events.iter().map(String::len).sum();
        assert!(bytes < 512 * 1024, "{bytes} bytes waited");
        assert_eq!(message(events.last().unwrap())["result"]["content"][0]["text"], "done");
    }
}

#[tokio::test]
async fn answers_a_batch_on_its_own_request() {
    let session = Session::of(app(), "2025-03-26").await;
    let slow = Session::call(2, "count", &json!({ "to": 1, "millis": 60_000 }));
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let batch = json!([ping, slow]).to_string();
    let batch = tokio::spawn(Reading::of(&session.app, request("POST", &session.headers(), &batch)).await.rest());
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } });
    let cancelled = send(&session.app, request("POST", &session.headers(), &json!([cancel, ping]).to_string())).await;
    assert_eq!(cancelled.json(), json!([{ "jsonrpc": "2.0", "id": 1, "result": {} }]));
    let events = batch.await.unwrap();
    assert_eq!(message(events.last().unwrap()), json!([{ "jsonrpc": "2.0", "id": 1, "result": {} }]));
}

#[tokio::test]
async fn a_batch_has_at_most_100_messages() {
    let session = Session::of(app(), "2025-03-26").await;
    let nonsense = format!("[1{}]", ",1".repeat(100));
    let refused = send(&session.app, request("POST", &session.headers(), &nonsense)).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let message = "the batch has 101 messages, and at most 100 are allowed; send several batches";
    assert_eq!(refused.json()["error"]["message"], message);
}

/// One thread serves all clients, so a batch must yield between its messages.
#[tokio::test]
async fn serves_other_clients_between_the_messages_of_a_batch() {
    let session = Session::of(app(), "2025-03-26").await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let pings = json!(vec![ping.clone(); 100]).to_string();
    let order = std::sync::Mutex::new(Vec::new());
    let batch = async {
        let reply = send(&session.app, request("POST", &session.headers(), &pings)).await;
        order.lock().unwrap().push("batch");
        reply
    };
    let other = async {
        for _ in 0..10 {
            send(&session.app, request("POST", &session.headers(), &ping.to_string())).await;
            order.lock().unwrap().push("ping");
        }
    };
    let (reply, ()) = tokio::join!(batch, other);
    assert_eq!(reply.json().as_array().unwrap().len(), 100);
    assert_eq!(order.lock().unwrap().last(), Some(&"batch"));
}
