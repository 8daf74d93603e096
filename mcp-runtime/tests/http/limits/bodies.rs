//! Limits for the bodies of requests: their timeout, their size and their chunks.

use std::time::Duration;

use mcp_runtime::http::HttpLimits;
use serde_json::json;
use tokio::time::sleep;

use super::{
    call, request, server,
    socket::{Client, Served},
};

const MIB: usize = 1024 * 1024;

/// Returns the head of a request without `Content-Length`.
fn head() -> String {
    let (headers, _) = call("nap", &json!({ "milliseconds": 0 }));
    format!("POST /mcp HTTP/1.1\r\n{headers}")
}

async fn works(client: &mut Client) {
    client.send(request("nap", &json!({ "milliseconds": 0 }))).await;
    assert_eq!(client.answer().await.json()["result"]["content"][0]["text"], "rested");
}

#[tokio::test]
async fn times_out_a_slow_body() {
    let served = Served::of(server(HttpLimits::default().request_timeout(Duration::from_millis(300)))).await;
    let mut client = served.connect().await;
    client.send(format!("{}content-length: 1000\r\n\r\n", head())).await;
    for _ in 0..20 {
        let _ = client.try_send(" ").await;
        sleep(Duration::from_millis(20)).await;
    }
    let answer = client.answer().await;
    assert_eq!((answer.status, answer.code()), (408, -32600));
    assert!(answer.head.contains("connection: close"), "{answer:?}");
    client.closed().await;
}

#[tokio::test]
async fn an_incomplete_body_affects_no_other_request() {
    let served = Served::of(server(HttpLimits::default())).await;
    for _ in 0..50 {
        let mut client = served.connect().await;
        client.send(format!("{}content-length: 1000\r\n\r\n{{\"jsonrpc\"", head())).await;
    }
    works(&mut served.connect().await).await;
}

#[tokio::test]
async fn rejects_a_body_by_its_declared_length() {
    let served = Served::of(server(HttpLimits::default())).await;
    for expect in ["", "expect: 100-continue\r\n"] {
        let mut client = served.connect().await;
        client.send(format!("{}{expect}content-length: {}\r\n\r\n", head(), MIB + 1)).await;
        let answer = client.answer().await;
        assert_eq!((answer.status, answer.code()), (413, -32600));
    }
}

#[tokio::test]
async fn answers_413_to_a_body_that_is_too_large() {
    let served = Served::of(server(HttpLimits::default())).await;
    let mut said = served.connect().await;
    let _ = said.try_send(format!("{}content-length: {}\r\n\r\n{}", head(), 5 * MIB, " ".repeat(5 * MIB))).await;
    let answer = said.answer().await;
    assert_eq!((answer.status, answer.code()), (413, -32600));

    let mut unsaid = served.connect().await;
    unsaid.send(format!("{}transfer-encoding: chunked\r\n\r\n", head())).await;
    for _ in 0..5 * 16 {
        if unsaid.try_send(format!("10000\r\n{}\r\n", " ".repeat(0x10000))).await.is_err() {
            break;
        }
    }
    let answer = unsaid.answer().await;
    assert_eq!((answer.status, answer.code()), (413, -32600));
}

#[tokio::test]
async fn the_limit_is_one_mebibyte_unless_the_author_says_otherwise() {
    let (_, body) = call("nap", &json!({ "milliseconds": 0 }));
    for (server, limit) in [
        (server(HttpLimits::default()), MIB),
        (server(HttpLimits::default()).max_message_size(8 * MIB), 8 * MIB),
        (server(HttpLimits::default()).max_message_size(1000), 1000),
    ] {
        let served = Served::of(server).await;
        for (length, status) in [(limit, 200), (limit + 1, 413)] {
            let mut client = served.connect().await;
            let spaces = " ".repeat(length - body.len());
            let _ = client.try_send(format!("{}content-length: {length}\r\n\r\n{body}{spaces}", head())).await;
            assert_eq!(client.answer().await.status, status, "{length} bytes of {limit}");
        }
    }
}

#[tokio::test]
async fn accepts_a_chunked_body() {
    let served = Served::of(server(HttpLimits::default())).await;
    let (_, body) = call("nap", &json!({ "milliseconds": 0 }));
    let mut client = served.connect().await;
    client.send(format!("{}transfer-encoding: chunked\r\n\r\n", head())).await;
    for byte in body.bytes() {
        client.send([b"1\r\n", &[byte][..], b"\r\n"].concat()).await;
    }
    client.send("0\r\ntrailer: t\r\n\r\n").await;
    assert_eq!(client.answer().await.json()["result"]["content"][0]["text"], "rested");

    client.send(format!("{}content-length: {}\r\n\r\n", head(), body.len())).await;
    for byte in body.bytes() {
        client.send([byte]).await;
    }
    assert_eq!(client.answer().await.status, 200);

    client.send(format!("{}transfer-encoding: chunked\r\n\r\nzz\r\n", head())).await;
    let answer = client.answer().await;
    assert_eq!((answer.status, answer.code()), (400, -32700), "it is no chunk");
}

#[tokio::test]
async fn answers_expect_100_continue() {
    let served = Served::of(server(HttpLimits::default())).await;
    let (_, body) = call("nap", &json!({ "milliseconds": 0 }));
    let mut client = served.connect().await;
    client.send(format!("{}expect: 100-continue\r\ncontent-length: {}\r\n\r\n", head(), body.len())).await;
    assert_eq!(client.answer().await.status, 100);
    client.send(body).await;
    assert_eq!(client.answer().await.status, 200);
    works(&mut client).await;
}

#[tokio::test]
async fn answers_pipelined_requests_in_order() {
    let served = Served::of(server(HttpLimits::default())).await;
    let mut client = served.connect().await;
    let requests = (0..40).map(|id| {
        let request = request("nap", &json!({ "milliseconds": if id % 8 == 0 { 20 } else { 0 } }));
        request.replacen("\"id\":1,", &format!("\"id\":{},", id % 10), 1)
    });
    client.send(requests.collect::<String>()).await;
    for id in 0..40 {
        let answer = client.answer().await;
        assert_eq!((answer.status, &answer.json()["id"]), (200, &json!(id % 10)));
    }
}

#[tokio::test]
async fn limits_concurrent_large_bodies() {
    // Of bodies that may be so large, one at a time.
    let served = Served::of(server(HttpLimits::default()).max_message_size(256 * MIB)).await;
    let (_, body) = call("nap", &json!({ "milliseconds": 0 }));
    let large = format!("{}content-length: {}\r\n\r\n{body}{}", head(), body.len() + 200_000, " ".repeat(200_000));
    let (mut first, mut second) = (served.connect().await, served.connect().await);
    first.send(&large[..large.len() - 1]).await;
    sleep(Duration::from_millis(200)).await;
    let (_, answered) = tokio::join!(second.send(&large), async {
        tokio::time::timeout(Duration::from_millis(300), works(&mut served.connect().await)).await
    });
    assert!(answered.is_ok(), "small ones pass by");
    assert!(tokio::time::timeout(Duration::from_millis(200), second.answer()).await.is_err(), "it waits for the first");
    first.send(" ").await;
    assert_eq!((first.answer().await.status, second.answer().await.status), (200, 200));
}
