//! Requests in flight when a server shuts down.

use std::time::Duration;

use mcp_runtime::http::HttpLimits;
use serde_json::json;
use tokio::{net::TcpStream, time::sleep};

use super::{request, server, socket::Served};
use crate::http::shutdown::{Session, answer_to, question, text};

#[tokio::test]
async fn idle_connections_do_not_delay_the_shutdown() {
    let served = Served::of(server(HttpLimits::default())).await;
    let mut used = served.connect().await;
    used.send(request("nap", &json!({ "milliseconds": 0 }))).await;
    assert_eq!(used.answer().await.status, 200);
    let mut unused = served.connect().await;
    let mut begun = served.connect().await;
    begun.send("POST /mcp").await;
    sleep(Duration::from_millis(50)).await;
    let address = served.address;
    let took = served.stop().await;
    assert!(took < Duration::from_secs(4), "{took:?}");
    for client in [&mut used, &mut unused, &mut begun] {
        client.closed().await;
    }
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn answers_requests_in_flight_before_the_shutdown() {
    let served = Served::of(server(HttpLimits::default())).await;
    let mut client = served.connect().await;
    client.send(request("nap", &json!({ "milliseconds": 300 }))).await;
    sleep(Duration::from_millis(50)).await;
    let took = served.stop().await;
    let answer = client.answer().await;
    assert_eq!((answer.status, &answer.json()["result"]["content"][0]["text"]), (200, &json!("rested")));
    assert!(answer.head.contains("connection: close"), "{answer:?}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn an_idle_stream_does_not_delay_the_shutdown() {
    let served = Served::of(server(HttpLimits::default())).await;
    let mut client = served.connect().await;
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
    }})
    .to_string();
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length";
    client.send(format!("{head}: {}\r\n\r\n{hello}", hello.len())).await;
    let opened = client.answer().await;
    let session = opened.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    let mut listening = served.connect().await;
    let get = "GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nmcp-session-id";
    listening.send(format!("{get}: {session}\r\n\r\n")).await;
    assert_eq!(listening.answer().await.status, 200);
    let took = served.stop().await;
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn cancels_calls_that_exceed_the_grace() {
    let served = Served::of(server(HttpLimits::default()).shutdown_grace(Duration::from_millis(300))).await;
    let mut client = served.connect().await;
    client.send(request("nap", &json!({ "milliseconds": 600_000 }))).await;
    sleep(Duration::from_millis(50)).await;
    let took = served.stop().await;
    assert!(took < Duration::from_secs(5), "{took:?}");
    client.closed().await;
}

#[tokio::test]
async fn accepts_answers_to_questions_within_the_grace() {
    let served = Served::of(server(HttpLimits::default())).await;
    let address = served.address;
    let session = Session::open(address).await;
    let mut call = session.call("book", json!({})).await;
    let question = question(&mut call).await;
    let stopped = tokio::spawn(served.stop());
    // A new call on another connection is rejected until the last one has ended.
    while session.call("nap", json!({ "milliseconds": 0 })).await.answer().await.status != 503 {}
    assert_eq!(session.post(&answer_to(&question, "12A")).await.answer().await.status, 202);
    assert_eq!(text(&call.next_message().await.unwrap()), "booked 12A");
    let took = stopped.await.unwrap();
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn a_polling_client_can_fetch_its_result_within_the_grace() {
    let served = Served::of(server(HttpLimits::default())).await;
    let session = Session::open(served.address).await;
    let mut call = session.call("build", json!({ "milliseconds": 300 })).await;
    assert_eq!(call.next_message().await, None, "it is sent away");
    let stopped = tokio::spawn(served.stop());
    sleep(Duration::from_millis(100)).await;
    let mut again = session.come_back("1-0").await;
    assert_eq!(text(&again.next_message().await.unwrap()), "built");
    let took = stopped.await.unwrap();
    assert!(took < Duration::from_secs(5), "{took:?}");
}
