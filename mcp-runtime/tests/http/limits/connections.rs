//! The number of connections, and their timeouts.

use std::time::Duration;

use mcp_runtime::http::HttpLimits;
use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use super::{call, request, server, socket::Served};

#[tokio::test]
async fn connections_beyond_the_limit_wait_for_others_to_end() {
    let served = Served::of(server(HttpLimits::default().max_connections(2))).await;
    let work = request("nap", &json!({ "milliseconds": 0 }));
    let (mut first, mut second, mut third) = (served.connect().await, served.connect().await, served.connect().await);
    for client in [&mut first, &mut second] {
        client.send(&work).await;
        assert_eq!(client.answer().await.status, 200);
    }
    third.send(&work).await;
    assert!(timeout(Duration::from_millis(200), third.answer()).await.is_err(), "there is no room for it");
    drop(first);
    assert_eq!(third.answer().await.status, 200);
}

#[tokio::test]
async fn closes_the_connection_of_a_client_that_does_not_read() {
    let limits = HttpLimits::default().max_connections(1).keep_alive(Duration::from_millis(400));
    let served = Served::of(server(limits)).await;
    let mut deaf = served.connect().await;
    deaf.send(request("recite", &json!({ "bytes": 30_000_000 }))).await;
    let mut next = served.connect().await;
    next.send(request("nap", &json!({ "milliseconds": 0 }))).await;
    assert_eq!(next.answer().await.status, 200);
}

#[tokio::test]
async fn serves_a_client_that_reads_slowly() {
    let served = Served::of(server(HttpLimits::default().keep_alive(Duration::from_millis(400)))).await;
    let mut slow = served.connect().await;
    slow.send(request("recite", &json!({ "bytes": 12_000_000 }))).await;
    let (start, mut read) = (Instant::now(), 0);
    let mut buffer = vec![0; 1_000_000];
    while read < 12_000_000 {
        slow.stream.readable().await.unwrap();
        read += slow.stream.try_read(&mut buffer).unwrap_or_default();
        sleep(Duration::from_millis(40)).await;
    }
    assert!(start.elapsed() > Duration::from_millis(400), "it was too fast to show anything");
}

#[tokio::test]
async fn thousands_of_connections_leave_nothing_behind() {
    let (calls, connections) = (4, 64);
    let limits = HttpLimits::default().max_connections(connections).max_calls_in_flight(calls);
    let served = Served::of(server(limits).max_concurrent_calls(calls)).await;
    let (headers, _) = call("nap", &json!({ "milliseconds": 0 }));
    let endless = request("nap", &json!({ "milliseconds": 600_000 }));
    let done = request("nap", &json!({ "milliseconds": 1 }));
    let beginnings = [
        String::new(),
        "POST /mcp HT".to_owned(),
        format!("POST /mcp HTTP/1.1\r\n{headers}content-length: 100\r\n\r\n{{\"jsonrpc\":"),
        format!("POST /mcp HTTP/1.1\r\n{headers}transfer-encoding: chunked\r\n\r\n5\r\n{{\"js"),
        "\u{1}\u{2}\r\n\r\n".to_owned(),
        endless,
        done,
    ];
    for beginning in beginnings.iter().cycle().take(3000) {
        let mut client = served.connect().await;
        client.send(beginning).await;
        // Some disconnect before they are accepted, others in the middle of a request.
        if client.stream.local_addr().unwrap().port() % 3 == 0 {
            sleep(Duration::from_millis(1)).await;
        }
    }
    // As many connections as allowed, each with a call.
    let work = request("nap", &json!({ "milliseconds": 100 }));
    for _ in 0..connections / calls {
        let mut clients = Vec::new();
        for _ in 0..calls {
            let mut client = served.connect().await;
            client.send(&work).await;
            clients.push(client);
        }
        for client in &mut clients {
            let answer = client.answer().await;
            assert_eq!(answer.status, 200, "{answer:?}");
        }
    }
}
