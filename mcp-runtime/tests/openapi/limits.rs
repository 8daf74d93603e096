//! Services that are slow, gone, or say too much.

use std::time::Duration;

use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    time::Instant,
};

use super::{api, called, part, server};

#[tokio::test]
async fn a_slow_answer_ends_at_the_time_limit() {
    let server = server(part().set_delay(Duration::from_secs(60))).await;
    let begun = Instant::now();
    let slow = || api(&server.uri()).timeout(Duration::from_millis(300));
    let (_, text) = called(slow(), "get_part", json!({ "name": "bolt" })).await;
    assert_eq!(text, "`GET /parts/{name}`: no answer within 300ms; try again later");
    let (_, text) = called(slow(), "add_part", json!({ "name": "bolt" })).await;
    assert!(text.ends_with("the request may have had an effect, so check that before you try again"), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[tokio::test]
async fn a_time_limit_can_be_as_long_as_a_duration() {
    let server = server(part()).await;
    let (failed, text) = called(api(&server.uri()).timeout(Duration::MAX), "get_part", json!({ "name": "bolt" })).await;
    assert!(!failed, "{text}");
}

#[tokio::test]
async fn a_service_that_cannot_be_reached_is_told() {
    let (failed, text) = called(api("http://127.0.0.1:9").retries(0), "get_part", json!({ "name": "bolt" })).await;
    assert!(failed && text.starts_with("`GET /parts/{name}`: the service cannot be reached: "), "{text}");
    assert!(text.ends_with("; try again later") && !text.contains("127.0.0.1:9/"), "{text}");
}

/// Starts a service that answers with 100 MB, with or without telling how much, and returns its URL.
async fn endless(head: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(head.as_bytes()).await;
            let block = vec![b'a'; 1024 * 1024];
            for _ in 0..100 {
                if stream.write_all(&block).await.is_err() {
                    break;
                }
            }
        }
    });
    url
}

#[tokio::test]
async fn an_answer_of_100_megabytes_is_not_read() {
    let told = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 104857600\r\n\r\n";
    let untold = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
    for (head, length) in [(told, "has 100 MiB"), (untold, "has more than 4 MiB")] {
        let url = endless(head).await;
        let (failed, text) = called(api(&url), "get_part", json!({ "name": "bolt" })).await;
        let expected = format!(
            "`GET /parts/{{name}}`: the answer {length}, and at most 4 MiB are read; ask for less, for example with a \
             smaller page or a narrower filter"
        );
        assert_eq!((failed, text), (true, expected));
    }
    let url = endless(told).await;
    let (_, text) = called(api(&url).max_response(2048), "get_part", json!({ "name": "bolt" })).await;
    assert!(text.contains("and at most 2 KiB are read"), "{text}");
}
