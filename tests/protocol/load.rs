//! Many calls at once, and the end of input with calls in flight.

use std::time::{Duration, Instant};

use mcp_runtime::Revision;
use serde_json::json;

use crate::protocol::{client::Client, server, service_and_gate};

#[tokio::test]
async fn answers_a_thousand_slow_calls() {
    for revision in [Revision::V2024_11_05, Revision::V2026_07_28] {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        gate.release(1000);
        for _ in 0..1000 {
            client.begin("tools/call", json!({ "name": "nap", "arguments": { "milliseconds": 5 } })).await;
        }
        for _ in 0..1000 {
            assert_eq!(client.next_response().await["result"]["content"][0]["text"], "slept 5 ms");
        }
        client.works().await;
    }
}

#[tokio::test]
async fn quick_calls_overtake_slow_ones() {
    for revision in Revision::ALL {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        let held: Vec<_> = [(); 100].map(|()| "hold").into();
        for tool in &held {
            client.begin_call(tool, json!({}), json!({})).await;
        }
        gate.wait_for(100).await;
        assert_eq!(client.call("echo", json!({ "text": "quick" })).await["content"][0]["text"], "quick");
        gate.release(100);
        for _ in &held {
            assert_eq!(client.next_response().await["result"]["content"][0]["text"], "let go");
        }
    }
}

#[tokio::test]
async fn queues_calls_at_the_limit_and_keeps_reading() {
    let (server, gate) = server();
    let service = server.max_concurrent_calls(2).build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::open(&service, revision).await;
        for _ in 0..2 {
            client.begin_call("hold", json!({}), json!({})).await;
        }
        gate.wait_for(2).await;
        let waiting = client.begin_call("hold", json!({}), json!({})).await;
        client.begin_call("hold", json!({}), json!({})).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(gate.running(), 2);
        client.cancel(&waiting).await;
        gate.release(1);
        client.next_response().await;
        // The cancelled call is not the next to run.
        gate.wait_for(2).await;
        gate.release(2);
        for _ in 0..2 {
            client.next_response().await;
        }
        assert_eq!(gate.most(), 2);
        client.notifications();
        client.works().await;
    }
}

#[tokio::test]
async fn calls_can_finish_after_the_end_of_input() {
    for revision in Revision::ALL {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        for _ in 0..3 {
            client.begin_call("hold", json!({}), json!({})).await;
        }
        gate.wait_for(3).await;
        let (rest, ()) = tokio::join!(client.close(), async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            gate.release(3);
        });
        let texts = rest.iter().filter_map(|message| message["result"]["content"][0]["text"].as_str());
        assert_eq!(texts.collect::<Vec<_>>(), ["let go"; 3]);
    }
}

#[tokio::test]
async fn drops_calls_that_exceed_the_grace() {
    let (server, gate) = server();
    let service = server.shutdown_grace(Duration::from_millis(50)).build().unwrap();
    let mut client = Client::open(&service, Revision::V2025_11_25).await;
    let id = client.begin_call("hold", json!({}), json!({})).await;
    gate.wait_for(1).await;
    client.forget(&id);
    let start = Instant::now();
    let rest = client.close().await;
    assert!((Duration::from_millis(50)..Duration::from_secs(5)).contains(&start.elapsed()));
    assert!(rest.is_empty(), "{rest:?}");
    gate.wait_for(0).await;
}
