//! The heads of requests: timeout and size.

use std::time::Duration;

use mcp_runtime::http::HttpLimits;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{request, server, socket::Served};

const SOON: Duration = Duration::from_millis(200);

#[tokio::test]
async fn times_out_a_slow_head() {
    let served = Served::of(server(HttpLimits::default().request_timeout(SOON))).await;
    let mut client = served.connect().await;
    let start = Instant::now();
    let head = request("nap", &json!({ "milliseconds": 0 }));
    for byte in head.bytes().cycle() {
        if client.try_send([byte]).await.is_err() {
            break;
        }
        sleep(Duration::from_millis(15)).await;
        assert!(start.elapsed() < Duration::from_secs(10), "it is still listened to");
    }
    assert!(start.elapsed() >= SOON);
}

#[tokio::test]
async fn closes_a_connection_without_a_request() {
    let served = Served::of(server(HttpLimits::default().request_timeout(SOON))).await;
    let took = served.connect().await.closed().await;
    assert!(SOON * 9 / 10 < took, "{took:?}");
}

#[tokio::test]
async fn keep_alive_is_longer_than_the_time_for_a_head() {
    let keep_alive = Duration::from_secs(6);
    let limits = HttpLimits::default().request_timeout(SOON).keep_alive(keep_alive);
    let served = Served::of(server(limits)).await;
    let mut client = served.connect().await;
    for _ in 0..2 {
        client.send(request("nap", &json!({ "milliseconds": 0 }))).await;
        assert_eq!(client.answer().await.status, 200);
        sleep(2 * SOON).await;
    }
    client.send("P").await;
    let took = client.closed().await;
    assert!(took < keep_alive, "with its first byte the next has begun: {took:?}");
    let mut idle = served.connect().await;
    idle.send(request("nap", &json!({ "milliseconds": 0 }))).await;
    assert_eq!(idle.answer().await.status, 200);
    let took = idle.closed().await;
    assert!(keep_alive * 9 / 10 < took, "{took:?}");
}

#[tokio::test]
async fn a_call_can_take_longer_than_the_request_timeout() {
    let served = Served::of(server(HttpLimits::default().request_timeout(SOON).keep_alive(SOON))).await;
    let mut client = served.connect().await;
    client.send(request("nap", &json!({ "milliseconds": 700 }))).await;
    assert_eq!(client.answer().await.status, 200);
}

#[tokio::test]
async fn bounds_a_head_in_bytes_and_headers() {
    let served = Served::of(server(HttpLimits::default().max_header_size(4096))).await;
    let call = request("nap", &json!({ "milliseconds": 0 }));
    let with = |more: &str| call.replacen("host:", &format!("{more}host:"), 1);
    for (more, status) in [
        (format!("x-long: {}\r\n", "a".repeat(3000)), 200),
        (format!("x-long: {}\r\n", "a".repeat(5000)), 431),
        (format!("x-long: {}\r\n", "a".repeat(100_000)), 431),
        ("x: y\r\n".repeat(90), 200),
        ("x: y\r\n".repeat(100), 431),
    ] {
        let mut client = served.connect().await;
        // The server may close the connection before it has read everything.
        let _ = client.try_send(with(&more)).await;
        assert_eq!(client.answer().await.status, status, "{} bytes more", more.len());
    }
    let mut endless = served.connect().await;
    endless.send("POST /mcp HTTP/1.1\r\nx: ").await;
    while endless.try_send([b'a'; 4096]).await.is_ok() && endless.stream.try_read(&mut []).is_err() {
        tokio::task::yield_now().await;
    }
    endless.closed().await;
}

#[tokio::test]
async fn rejects_an_invalid_head() {
    let served = Served::of(server(HttpLimits::default())).await;
    for garbage in [
        "\0\0\0\0\r\n\r\n",
        "HELO example.com\r\n\r\n",
        "POST /mcp HTTP/9.9\r\nhost: localhost\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nno colon\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: gzip\r\n\r\n",
        "\u{16}\u{3}\u{1}\0\u{1}\0\0\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let mut client = served.connect().await;
        client.send(garbage).await;
        // Input that does not look like HTTP gets no HTTP answer.
        if let Some(answer) = client.next_answer().await {
            assert_eq!(answer.status, 400, "{garbage:?}");
        }
        client.closed().await;
    }
}
