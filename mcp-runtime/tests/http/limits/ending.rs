//! How a server stops.

use std::time::Duration;

use mcp_runtime::HttpLimits;
use serde_json::json;
use tokio::{net::TcpStream, time::sleep};

use super::{request, server, socket::Served};

#[tokio::test]
async fn idle_connections_do_not_hold_it_up() {
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
async fn what_is_in_flight_is_answered() {
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
async fn a_stream_of_no_request_does_not_hold_it_up() {
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
async fn what_takes_longer_than_the_grace_is_cut_off() {
    let served = Served::of(server(HttpLimits::default()).shutdown_grace(Duration::from_millis(300))).await;
    let mut client = served.connect().await;
    client.send(request("nap", &json!({ "milliseconds": 600_000 }))).await;
    sleep(Duration::from_millis(50)).await;
    let took = served.stop().await;
    assert!(took < Duration::from_secs(5), "{took:?}");
    client.closed().await;
}
